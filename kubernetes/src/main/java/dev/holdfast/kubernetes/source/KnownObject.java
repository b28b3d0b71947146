// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.kubernetes.source;

import dev.holdfast.config.Mapping;

/**
 * An object of the cluster, for those who write to it.
 *
 * @param uid tells it from an earlier object of the same name
 * @param resourceVersion of its newest state
 * @param clusterGeneration the cluster's own generation; 0 for kinds that have none
 * @param generation the generation under which the control plane knows it
 * @param status what stands in the cluster as its status
 * @param isReported whether the control plane has been told of the newest state
 */
public record KnownObject(
    String uid,
    String resourceVersion,
    long clusterGeneration,
    long generation,
    Mapping status,
    boolean isReported) {}
