// SPDX-License-Identifier: Apache-2.0
/**
 * The connected proxies as a fleet: {@link dev.holdfast.controlplane.ads.fleet.ConnectedFleet} for
 * the rollout, {@link dev.holdfast.controlplane.ads.fleet.ProxyGroups} for the status of objects.
 */
@NullMarked
package dev.holdfast.controlplane.ads.fleet;

import org.jspecify.annotations.NullMarked;
