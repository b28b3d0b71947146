// SPDX-License-Identifier: Apache-2.0

/**
 * Which cluster each call goes to, and on what terms: routes, weights, hashes, timeouts and retries
 * (gRFC A28, A31, A42, A44).
 */
@NullMarked
package dev.holdfast.grpc.routing;

import org.jspecify.annotations.NullMarked;
