// SPDX-License-Identifier: Apache-2.0

/** The hash function that xDS names. */
@NullMarked
package dev.holdfast.grpc.hash;

import org.jspecify.annotations.NullMarked;
