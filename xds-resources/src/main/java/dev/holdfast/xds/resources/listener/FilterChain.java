// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.xds.resources.listener;

import dev.holdfast.xds.resources.tls.DownstreamTls;
import org.jspecify.annotations.Nullable;

/**
 * How a server treats the connections that match.
 *
 * @param name for people; may be empty
 * @param tls null for the server's fallback credentials
 */
public record FilterChain(
    String name,
    FilterChainMatch match,
    HttpConnectionManager manager,
    @Nullable DownstreamTls tls) {}
