// SPDX-License-Identifier: Apache-2.0

/**
 * Retries with a limit on the time of each attempt, which gRPC's own retries do not have: gRFC A44
 * with {@code per_try_timeout}.
 */
@NullMarked
package dev.holdfast.grpc.retry;

import org.jspecify.annotations.NullMarked;
