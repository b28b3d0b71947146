// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.xds.resources.cluster;

/**
 * How the loads of a cluster are reported (gRFC A27).
 *
 * @param server who gets the reports: the server that sent the cluster, in whatever form its
 *     receiver names servers. A decoder does not know it and leaves it {@link #UNNAMED}
 * @param metrics what is reported besides the numbers of calls
 */
public record LoadReporting(Object server, ReportedMetrics metrics) {
  /** A server that nobody has named yet. */
  public static final Object UNNAMED = "";
}
