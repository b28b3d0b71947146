// SPDX-License-Identifier: Apache-2.0
/** A real Kubernetes API server in tests: etcd and kube-apiserver, and a client for them. */
@NullMarked
package dev.holdfast.interop.kubernetes;

import org.jspecify.annotations.NullMarked;
