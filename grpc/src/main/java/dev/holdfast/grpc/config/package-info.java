// SPDX-License-Identifier: Apache-2.0

/**
 * What a channel needs to know, whole: the resources that one target depends on, gathered into one
 * immutable value (gRFC A74).
 */
@NullMarked
package dev.holdfast.grpc.config;

import org.jspecify.annotations.NullMarked;
