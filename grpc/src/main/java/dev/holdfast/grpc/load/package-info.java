// SPDX-License-Identifier: Apache-2.0

/**
 * Load reports (LRS, gRFC A27, A64, A85): calls and drops are counted where they happen, and one
 * stream per server tells them at the interval that the server asks for.
 */
@NullMarked
package dev.holdfast.grpc.load;

import org.jspecify.annotations.NullMarked;
