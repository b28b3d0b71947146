// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.controlplane.ads.stream;

import dev.holdfast.base.TimeSource;
import dev.holdfast.controlplane.ads.access.AccessPolicy;
import dev.holdfast.controlplane.ads.proxy.AdsObserver;
import dev.holdfast.controlplane.ads.reconnect.DisconnectedProxies;
import dev.holdfast.controlplane.ads.view.HostView;
import dev.holdfast.controlplane.ads.view.ScoutView;
import dev.holdfast.controlplane.ads.view.ServedViews;
import dev.holdfast.controlplane.ledger.DecisionProbe;

/**
 * The environment that all streams of a server share.
 *
 * @param views the snapshots that proxies are served
 * @param disconnected the versions that reconnecting proxies may name
 * @param hosts which form proxies get hosts without TLS in
 * @param scouts what scouts are served in place of what others are
 * @param access what clients may do
 * @param probe is passed before each decision
 * @param queue the proxies that may be sent something at the end of this turn of the loop
 */
public record StreamEnv(
    StreamHost host,
    TimeSource time,
    AdsObserver observer,
    ServedViews views,
    DisconnectedProxies disconnected,
    SendQueue queue,
    ResponseSender sender,
    AckNackHandler answers,
    EdsServiceNames edsNames,
    HostView hosts,
    ScoutView scouts,
    AccessPolicy access,
    DecisionProbe probe) {}
