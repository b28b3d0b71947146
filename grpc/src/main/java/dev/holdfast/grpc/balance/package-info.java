// SPDX-License-Identifier: Apache-2.0

/**
 * The balancer at the root of a channel: which cluster a call goes to, and what each cluster is
 * told when the configuration changes.
 */
@NullMarked
package dev.holdfast.grpc.balance;

import org.jspecify.annotations.NullMarked;
