// SPDX-License-Identifier: Apache-2.0
/** Clusters and their load assignments. */
@NullMarked
package dev.holdfast.controlplane.translate.proto.cluster;

import org.jspecify.annotations.NullMarked;
