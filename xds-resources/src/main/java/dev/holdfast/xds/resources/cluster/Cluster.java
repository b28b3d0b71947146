// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.xds.resources.cluster;

import dev.holdfast.xds.resources.tls.UpstreamTls;
import org.jspecify.annotations.Nullable;

/**
 * A cluster.
 *
 * @param discovery where its endpoints come from
 * @param lbPolicy how traffic is spread over them; that of an aggregate cluster is not used (gRFC
 *     A75)
 * @param maxRequests how many calls may be under way at once (gRFC A32)
 * @param loadReporting null if loads are not reported
 * @param tls null for the channel's fallback credentials
 * @param outlierDetection null if no endpoint is ever ejected
 * @param sessions how calls of sessions are treated
 */
public record Cluster(
    String name,
    Discovery discovery,
    LbPolicy lbPolicy,
    long maxRequests,
    @Nullable LoadReporting loadReporting,
    @Nullable UpstreamTls tls,
    @Nullable OutlierDetection outlierDetection,
    SessionAffinity sessions) {

  /** One that says nothing of sessions. */
  public Cluster(
      String name,
      Discovery discovery,
      LbPolicy lbPolicy,
      long maxRequests,
      @Nullable LoadReporting loadReporting,
      @Nullable UpstreamTls tls,
      @Nullable OutlierDetection outlierDetection) {
    this(
        name,
        discovery,
        lbPolicy,
        maxRequests,
        loadReporting,
        tls,
        outlierDetection,
        SessionAffinity.DEFAULT);
  }

  /** Where the server sets no limit. */
  public static final long DEFAULT_MAX_REQUESTS = 1024;

  /** The same, with the server that gets the reports, if loads are reported. */
  public Cluster sentBy(Object server) {
    return loadReporting == null
        ? this
        : new Cluster(
            name,
            discovery,
            lbPolicy,
            maxRequests,
            new LoadReporting(server, loadReporting.metrics()),
            tls,
            outlierDetection,
            sessions);
  }
}
