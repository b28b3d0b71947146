// SPDX-License-Identifier: Apache-2.0
/** Requests to a Kubernetes API server, and its JSON as values. */
@NullMarked
package dev.holdfast.kubernetes.api;

import org.jspecify.annotations.NullMarked;
