// SPDX-License-Identifier: Apache-2.0

/**
 * The balancing policies of xDS that gRPC does not bring along: priorities, weighted localities,
 * least request and ring hash. They know nothing of xDS resources; their configurations are values,
 * and what has not changed in one is not passed on.
 */
@NullMarked
package dev.holdfast.grpc.balance.policy;

import org.jspecify.annotations.NullMarked;
