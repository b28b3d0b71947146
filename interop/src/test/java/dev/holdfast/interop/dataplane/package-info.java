// SPDX-License-Identifier: Apache-2.0
/** Channels to {@code xds:} targets, whole: a control plane, servers, and calls on real sockets. */
@NullMarked
package dev.holdfast.interop.dataplane;

import org.jspecify.annotations.NullMarked;
