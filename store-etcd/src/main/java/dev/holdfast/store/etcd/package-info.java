// SPDX-License-Identifier: Apache-2.0
/** The state of a control plane in an etcd, and the election of the server that leads. */
@NullMarked
package dev.holdfast.store.etcd;

import org.jspecify.annotations.NullMarked;
