// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.controlplane.report;

import dev.holdfast.controlplane.snapshot.ResourceType;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * One proxy, and what it runs.
 *
 * @param node its id
 * @param cluster what it calls its own group
 * @param proxyClass proxies of one class judge alike
 * @param agent what it is, such as {@code envoy 1.39.0}
 * @param diverged since when and why it is not what others of its class are; null if it is
 */
public record ProxyReport(
    String node,
    String cluster,
    String proxyClass,
    String agent,
    @Nullable DivergedReport diverged,
    List<StreamReport> streams) {
  public ProxyReport {
    streams = List.copyOf(streams);
  }

  /**
   * It refused what others of its class run.
   *
   * @param message as the proxy said it, made safe to show
   */
  public record DivergedReport(Instant since, String message) {}

  /**
   * One stream of a proxy.
   *
   * @param id unique within the process
   * @param address of the other end
   * @param protocol {@code SotW} or {@code Delta}
   * @param aggregated whether it carries all types
   */
  public record StreamReport(
      long id,
      String address,
      String protocol,
      boolean aggregated,
      Instant since,
      List<TypeReport> types) {
    public StreamReport {
      types = List.copyOf(types);
    }
  }

  /**
   * What was said of one type on one stream.
   *
   * @param wildcard whether all of the type are asked for
   * @param names how many are asked for by name
   * @param versionSent of the last response
   * @param versionAccepted of the last response that was accepted; empty if none was
   * @param resources how many the proxy runs
   * @param pendingSince when the response was sent that waits for an answer; null if none does
   * @param lastError null if nothing was rejected
   */
  public record TypeReport(
      ResourceType type,
      boolean wildcard,
      int names,
      String versionSent,
      String versionAccepted,
      int resources,
      @Nullable Instant pendingSince,
      @Nullable ErrorReport lastError) {}

  /**
   * A rejection.
   *
   * @param message as the proxy said it, made safe to show
   * @param resources what the rejected response held that was new
   * @param retryAt when it is sent again, if the machine is to blame; null if it is not
   */
  public record ErrorReport(
      String message, Instant at, List<String> resources, @Nullable Instant retryAt) {
    public ErrorReport {
      resources = List.copyOf(resources);
    }
  }
}
