// SPDX-License-Identifier: Apache-2.0

/**
 * One cluster as a tree of balancers: drops, circuit breaking and notes at the top, outlier
 * detection if the cluster wants it, then priorities, localities and endpoints.
 */
@NullMarked
package dev.holdfast.grpc.balance.cluster;

import org.jspecify.annotations.NullMarked;
