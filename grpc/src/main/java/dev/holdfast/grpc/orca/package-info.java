// SPDX-License-Identifier: Apache-2.0

/**
 * What endpoints say about their own load (ORCA, gRFC A51): with the answer to each call, and on
 * streams of their own.
 */
@NullMarked
package dev.holdfast.grpc.orca;

import org.jspecify.annotations.NullMarked;
