// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.grpc.config;

import dev.holdfast.xds.resources.listener.HttpConnectionManager;
import dev.holdfast.xds.resources.route.VirtualHost;
import io.grpc.Attributes;
import io.grpc.StatusOr;
import java.util.Map;

/**
 * Everything that one target depends on, as of one moment (gRFC A74). Parts that did not change
 * between two configurations are the same objects in both, so that whoever acts on a change
 * compares identities and pays for the change alone.
 *
 * @param manager how calls are handled: filters, and the limit on their duration
 * @param virtualHost the one whose domains fit the target's authority
 * @param clusters every cluster that a call may be sent to, and the leaves of the aggregate ones;
 *     an error fails the calls to that cluster and no others
 */
public record XdsConfig(
    HttpConnectionManager manager,
    VirtualHost virtualHost,
    Map<String, StatusOr<ClusterConfig>> clusters) {

  /** How it travels from the name resolver to the balancer at the root. */
  public static final Attributes.Key<XdsConfig> KEY =
      Attributes.Key.create("dev.holdfast.grpc.xds-config");
}
