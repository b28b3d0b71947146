// SPDX-License-Identifier: Apache-2.0

/**
 * HTTP filters where calls are made (gRFC A39): the chain that the calls of a route pass, with
 * overrides applied once, and the filters themselves: faults (gRFC A33) and sessions (gRFC A55).
 */
@NullMarked
package dev.holdfast.grpc.filter;

import org.jspecify.annotations.NullMarked;
