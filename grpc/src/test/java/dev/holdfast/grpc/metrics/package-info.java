// SPDX-License-Identifier: Apache-2.0
@NullMarked
package dev.holdfast.grpc.metrics;

import org.jspecify.annotations.NullMarked;
