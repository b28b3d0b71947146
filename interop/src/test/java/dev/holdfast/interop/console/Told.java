// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.interop.console;

import dev.holdfast.base.PersistentMap;
import dev.holdfast.config.Condition;
import dev.holdfast.config.ObjectKey;
import dev.holdfast.controlplane.report.HoldReport;
import dev.holdfast.controlplane.report.IncidentReport;
import dev.holdfast.controlplane.report.ObjectReport;
import dev.holdfast.controlplane.report.ProxyCounts;
import dev.holdfast.controlplane.report.ProxyReport;
import dev.holdfast.controlplane.report.ResourceReport;
import dev.holdfast.controlplane.snapshot.Digests;
import dev.holdfast.controlplane.snapshot.Resource;
import dev.holdfast.controlplane.snapshot.ResourceId;
import dev.holdfast.controlplane.snapshot.ResourceType;
import dev.holdfast.controlplane.snapshot.SourcePlace;
import io.envoyproxy.envoy.config.cluster.v3.Cluster;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;

/** Things that a control plane might say, each about one word of the test's choice. */
final class Told {
  static final Instant AT = Instant.parse("2026-01-02T03:04:05.678Z");

  private Told() {}

  static ObjectKey key(String name) {
    return new ObjectKey("HTTPProxy", "shop", name);
  }

  static ObjectReport programmed(String name) {
    return object(key(name), Condition.Status.TRUE, "Programmed", "all proxies run generation 1");
  }

  static ObjectReport pending(String name) {
    return object(key(name), Condition.Status.UNKNOWN, "Pending", "0 of 1 proxies");
  }

  static ObjectReport rejected(ObjectKey key, String message) {
    return object(key, Condition.Status.FALSE, "Rejected", message);
  }

  private static ObjectReport object(
      ObjectKey key, Condition.Status status, String reason, String message) {
    boolean isGood = status == Condition.Status.TRUE;
    ProxyCounts counts = new ProxyCounts(1, isGood ? 1 : 0, 0, isGood ? 0 : 1);
    return new ObjectReport(
        key,
        isGood ? 1 : 2,
        1,
        List.of(
            new Condition("Programmed", status, reason, message, 1, AT),
            new Condition("Valid", Condition.Status.TRUE, "Valid", "valid", 1, AT)),
        counts,
        new TreeMap<>(Map.of(message, counts)),
        new TreeSet<>(List.of(new ResourceId(ResourceType.CLUSTER, key.name()))),
        isGood ? List.of() : List.of("shop.yaml:1:1: " + message),
        isGood ? List.of() : List.of("shop.yaml:2:1: " + message),
        isGood ? List.of() : List.of("shop.yaml:3:1: " + message),
        isGood ? List.of() : List.of(" spec:", "-" + key.name(), "+" + message),
        "shop.yaml:1:1");
  }

  static HoldReport hold(ObjectKey key, String message) {
    return new HoldReport(
        key, 2, 1, "Rejected", "", message, id(key.name()), message, /* cause= */ key, AT);
  }

  static ProxyReport proxy(String node, String message) {
    ProxyReport.TypeReport type =
        new ProxyReport.TypeReport(
            ResourceType.CLUSTER,
            true,
            0,
            "v2",
            "v1",
            1,
            null,
            new ProxyReport.ErrorReport(message, AT, List.of(node), null),
            List.of());
    return new ProxyReport(
        node,
        message,
        message,
        message,
        new ProxyReport.DivergedReport(AT, message),
        List.of(new ProxyReport.StreamReport(1, "127.0.0.1:1", "Delta", true, AT, List.of(type))));
  }

  /** One that rejected something once that it need not run any more. */
  static ProxyReport inSync(String node, String proxyClass) {
    ProxyReport.TypeReport type =
        new ProxyReport.TypeReport(
            ResourceType.CLUSTER,
            true,
            0,
            "v2",
            "v1",
            1,
            null,
            new ProxyReport.ErrorReport("script load error", AT, List.of("bad"), null),
            List.of(),
            /* refuses= */ List.of());
    return new ProxyReport(
        node,
        "edge",
        proxyClass,
        "envoy",
        /* diverged= */ null,
        List.of(new ProxyReport.StreamReport(1, "127.0.0.1:1", "Delta", true, AT, List.of(type))));
  }

  static ResourceReport cluster(ObjectKey key, String node) {
    Cluster.Builder cluster = Cluster.newBuilder().setName(key.name()).setAltStatName(node);
    cluster.getEdsClusterConfigBuilder().getEdsConfigBuilder().getAdsBuilder();
    cluster.getCommonLbConfigBuilder().getHealthyPanicThresholdBuilder().setValue(50);
    Cluster body = cluster.build();
    return new ResourceReport(
        new Resource(
            id(key.name()),
            Digests.of(Digests.serialise(body)),
            Digests.serialise(body),
            Resource.Audience.ALL,
            PersistentMap.<ObjectKey, String>empty().with(key, "d"),
            PersistentMap.<String, String>empty().with(node, ""),
            () ->
                List.of(
                    new SourcePlace("", key, 1, "spec"),
                    new SourcePlace("alt_stat_name", key, 1, node))),
        List.of(node),
        List.of(),
        List.of());
  }

  private static ResourceId id(String name) {
    return new ResourceId(ResourceType.CLUSTER, name);
  }

  static IncidentReport incident(long id, ObjectKey offender, String message) {
    return new IncidentReport(
        id,
        AT,
        message,
        id(offender.name()),
        message,
        2,
        1,
        List.of(
            new IncidentReport.Push(Duration.ZERO, 2, List.of(message), "refused"),
            new IncidentReport.Push(Duration.ofMillis(7), 1, List.of(message), "accepted")),
        List.of("trying " + message),
        List.of(
            new IncidentReport.OffendingObject(
                offender, 2, message, message, id(offender.name()), "9f86", message)),
        Duration.ofMillis(9));
  }
}
