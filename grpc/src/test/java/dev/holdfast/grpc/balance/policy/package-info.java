// SPDX-License-Identifier: Apache-2.0
@NullMarked
package dev.holdfast.grpc.balance.policy;

import org.jspecify.annotations.NullMarked;
