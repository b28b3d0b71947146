// SPDX-License-Identifier: Apache-2.0
/**
 * Cluster: where its endpoints come from and how traffic is spread over them (gRFC A27, A29, A32,
 * A37, A42, A47, A48, A50, A52, A58, A62). {@link ClusterDecoder} is the way in.
 */
@NullMarked
package dev.holdfast.xds.resources.cluster;

import org.jspecify.annotations.NullMarked;
