// SPDX-License-Identifier: Apache-2.0
/**
 * Listener, RouteConfiguration, Cluster and ClusterLoadAssignment as immutable records, and the
 * decoders that make them out of bytes. Needs no engine: a client decodes with it what it receives,
 * a control plane checks with the same rules what it is about to publish.
 *
 * <h2>The shape</h2>
 *
 * One package per kind of resource, and all alike: learn one, know all.
 *
 * <pre>
 *   listener -----&gt; route        cluster        endpoint        one per resource
 *    | |   \       / |   \        /   |            |
 *    | |    tls &lt;-/--|----\------+    |            |
 *    | +--&gt; filter  |     |          |            |
 *    v     |         v     v          v            v
 *    |     |  matcher      |          |            |
 *    +-----+---+-----------+--&gt; decode &lt;-----------+            what all share
 *                                 |
 *                                 v
 *                    this package: options, names
 * </pre>
 *
 * <ul>
 *   <li>{@code XDecoder.decode(ByteString, DecodeOptions)} is the way in, with the type's {@code
 *       TYPE_URL} beside it. It throws nothing and returns a {@link dev.holdfast.base.Decoded}: the
 *       record, or <em>every</em> problem of the resource.
 *   <li>One decoder class per sub-message. Each takes the message, a {@code Decoding} if it needs
 *       options or regular expressions, and a {@link dev.holdfast.base.Problems} that stands where
 *       the message stands. A parent passes {@code problems.at("field")} down, so no decoder knows
 *       where it is used, and the paths come out right by themselves: {@code
 *       virtual_hosts[0].routes[1].route.retry_policy.num_retries}.
 *   <li>A decoder that finds a problem reports it and goes on. It returns null where it has nothing
 *       to give, or something incomplete that is thrown away in the end: a resource with any
 *       problem has no value. Problems come in the order of the code, hence in the same order each
 *       time.
 *   <li>Null without a problem means <em>ignored</em>, where a gRFC says so; the reason stands in
 *       the code. Fields that are not mentioned at all are ignored, as gRFC A27 has it.
 *   <li>Records hold values with all defaults filled in, and nothing of the message they came from.
 *       Sealed types have a {@code fold} or the one method that their users need.
 * </ul>
 *
 * <h2>Limits</h2>
 *
 * Whatever the bytes, decoding ends soon and in bounded memory: a limited number of problems is
 * listed, quoted values are cut, regular expressions and combinations of filter chain matches have
 * a budget. Bytes in which messages nest deeper than protobuf allows are undecodable.
 */
@NullMarked
package dev.holdfast.xds.resources;

import org.jspecify.annotations.NullMarked;
