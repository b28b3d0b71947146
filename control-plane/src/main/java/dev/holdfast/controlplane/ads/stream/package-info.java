// SPDX-License-Identifier: Apache-2.0
/**
 * One ADS stream and everything that is decided on it. The door is {@link
 * dev.holdfast.controlplane.ads.stream.AdsStream}, one per gRPC stream; it has a {@link
 * dev.holdfast.controlplane.ads.stream.TypeStream} for each type that the proxy requested.
 *
 * <pre>
 *   request --&gt; AdsStream --&gt; TypeStream: Subscription, TypeStreamState, PendingNames
 *                               |
 *                               +--&gt; ResponsePlanner: TargetResources - HeldResources,
 *                               |      in SendOrder      = PlannedResponse
 *                               |
 *                             ResponseSender --&gt; InFlightResponse
 *                               |
 *   ACK, NACK --&gt; AckNackHandler: statistics, rejected and last good versions, observer
 * </pre>
 */
@NullMarked
package dev.holdfast.controlplane.ads.stream;

import org.jspecify.annotations.NullMarked;
