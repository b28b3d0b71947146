// SPDX-License-Identifier: Apache-2.0

/** gRPC channels to {@code xds:} targets, beside those of grpc-xds. */
@NullMarked
package dev.holdfast.benchmarks.dataplane;

import org.jspecify.annotations.NullMarked;
