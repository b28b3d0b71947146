// SPDX-License-Identifier: Apache-2.0

/**
 * The libraries that an application brings: which versions this one runs with, what is said where
 * others are on the class path, and what the older of them do in another way.
 */
@NullMarked
package dev.holdfast.grpc.libraries;

import org.jspecify.annotations.NullMarked;
