// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.controlplane.report;

import dev.holdfast.controlplane.snapshot.ResourceType;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A connected proxy and its streams.
 *
 * @param node its name: its node id, unless other proxies use that, too
 * @param cluster the cluster that its node names
 * @param proxyClass its class: proxies of one class validate alike
 * @param agent its name and version, such as {@code envoy 1.39.0}
 * @param diverged since when and why it does not behave like its class; null if it does
 * @param isNew whether its class is new, and does not count in the status of objects yet
 * @param sharedNodeId its node id, if other connected proxies use it, too; null if none does
 * @param scout what it does as a scout; null if it serves requests
 */
public record ProxyReport(
    String node,
    String cluster,
    String proxyClass,
    String agent,
    @Nullable DivergedReport diverged,
    boolean isNew,
    @Nullable String sharedNodeId,
    @Nullable ScoutReport scout,
    List<StreamReport> streams) {
  public ProxyReport {
    streams = List.copyOf(streams);
  }

  /** A proxy whose class is not new, and whose node id is its own. */
  public ProxyReport(
      String node,
      String cluster,
      String proxyClass,
      String agent,
      @Nullable DivergedReport diverged,
      List<StreamReport> streams) {
    this(
        node,
        cluster,
        proxyClass,
        agent,
        diverged,
        /* isNew= */ false,
        /* sharedNodeId= */ null,
        /* scout= */ null,
        streams);
  }

  /** One that serves requests. */
  public ProxyReport(
      String node,
      String cluster,
      String proxyClass,
      String agent,
      @Nullable DivergedReport diverged,
      boolean isNew,
      @Nullable String sharedNodeId,
      List<StreamReport> streams) {
    this(
        node,
        cluster,
        proxyClass,
        agent,
        diverged,
        isNew,
        sharedNodeId,
        /* scout= */ null,
        streams);
  }

  /**
   * A proxy that serves nobody, and is shown every change first.
   *
   * @param idle why it is not; empty if it is
   */
  public record ScoutReport(String idle) {}

  /**
   * The proxy rejected what other proxies of its class run.
   *
   * @param message the proxy's error message, sanitised
   */
  public record DivergedReport(Instant since, String message) {}

  /**
   * One stream of a proxy.
   *
   * @param id unique within the process
   * @param address of the peer
   * @param identity the first name in its certificate; empty if it showed none
   * @param protocol {@code SotW} or {@code Delta}
   * @param aggregated whether the stream carries all types
   */
  public record StreamReport(
      long id,
      String address,
      String identity,
      String protocol,
      boolean aggregated,
      Instant since,
      List<TypeReport> types) {
    public StreamReport {
      types = List.copyOf(types);
    }

    /** One without a certificate. */
    public StreamReport(
        long id,
        String address,
        String protocol,
        boolean aggregated,
        Instant since,
        List<TypeReport> types) {
      this(id, address, "", protocol, aggregated, since, types);
    }
  }

  /**
   * The state of one resource type on one stream.
   *
   * @param wildcard whether the proxy subscribes to all resources of the type
   * @param names how many resources the proxy subscribes to by name
   * @param versionSent of the last response
   * @param versionAccepted of the last accepted response; empty if there is none
   * @param resources how many resources the proxy runs
   * @param pendingSince when the unanswered response was sent; null if there is none
   * @param lastError null if the proxy rejected nothing
   * @param refusedRemovals what the proxy refused to give up, at most a hundred
   * @param refuses the resources that the proxy should run now and rejected, at most a hundred;
   *     what it rejected once and need not run any more is not among them
   */
  public record TypeReport(
      ResourceType type,
      boolean wildcard,
      int names,
      String versionSent,
      String versionAccepted,
      int resources,
      @Nullable Instant pendingSince,
      @Nullable ErrorReport lastError,
      List<RemovalReport> refusedRemovals,
      List<String> refuses) {
    public TypeReport {
      refusedRemovals = List.copyOf(refusedRemovals);
      refuses = List.copyOf(refuses);
    }

    /** One that refuses what it rejected last, unless it has accepted something since. */
    public TypeReport(
        ResourceType type,
        boolean wildcard,
        int names,
        String versionSent,
        String versionAccepted,
        int resources,
        @Nullable Instant pendingSince,
        @Nullable ErrorReport lastError,
        List<RemovalReport> refusedRemovals) {
      this(
          type,
          wildcard,
          names,
          versionSent,
          versionAccepted,
          resources,
          pendingSince,
          lastError,
          refusedRemovals,
          lastError == null || versionSent.equals(versionAccepted)
              ? List.of()
              : lastError.resources());
    }
  }

  /**
   * A removal that a proxy refused: it keeps the resource, and the removal is not sent again
   * without a change.
   *
   * @param resource the name of the resource
   * @param message the proxy's error message, sanitised
   */
  public record RemovalReport(String resource, String message, Instant at) {}

  /**
   * A rejected response.
   *
   * @param message the proxy's error message, sanitised
   * @param resources the resources that were new in the rejected response
   * @param retryAt when the response is sent again, if a local problem of the proxy caused the
   *     rejection; otherwise null
   */
  public record ErrorReport(
      String message, Instant at, List<String> resources, @Nullable Instant retryAt) {
    public ErrorReport {
      resources = List.copyOf(resources);
    }
  }
}
