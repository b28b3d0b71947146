// SPDX-License-Identifier: Apache-2.0
/**
 * ClusterLoadAssignment: the endpoints of a cluster by locality and priority (gRFC A27, A56, A61,
 * A81). {@link ClusterLoadAssignmentDecoder} is the way in.
 */
@NullMarked
package dev.holdfast.xds.resources.endpoint;

import org.jspecify.annotations.NullMarked;
