// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.server;

import com.google.protobuf.Message;
import dev.holdfast.base.PersistentMap;
import dev.holdfast.config.Condition;
import dev.holdfast.config.ObjectKey;
import dev.holdfast.controlplane.report.Distribution;
import dev.holdfast.controlplane.report.HoldReport;
import dev.holdfast.controlplane.report.IncidentReport;
import dev.holdfast.controlplane.report.ObjectReport;
import dev.holdfast.controlplane.report.ProxyCounts;
import dev.holdfast.controlplane.report.ProxyReport;
import dev.holdfast.controlplane.report.ProxyReport.ErrorReport;
import dev.holdfast.controlplane.report.ProxyReport.RemovalReport;
import dev.holdfast.controlplane.report.ProxyReport.StreamReport;
import dev.holdfast.controlplane.report.ProxyReport.TypeReport;
import dev.holdfast.controlplane.report.ResourceReport;
import dev.holdfast.controlplane.report.Totals;
import dev.holdfast.controlplane.report.Totals.TypeTotals;
import dev.holdfast.controlplane.snapshot.Digests;
import dev.holdfast.controlplane.snapshot.Resource;
import dev.holdfast.controlplane.snapshot.ResourceId;
import dev.holdfast.controlplane.snapshot.ResourceType;
import dev.holdfast.controlplane.snapshot.SourcePlace;
import io.envoyproxy.envoy.config.cluster.v3.Cluster;
import io.envoyproxy.envoy.config.core.v3.DataSource;
import io.envoyproxy.envoy.extensions.transport_sockets.tls.v3.Secret;
import io.envoyproxy.envoy.extensions.transport_sockets.tls.v3.TlsCertificate;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/** Reports as a control plane might give them. */
public final class SampleReports {
  public static final Instant AT = Instant.parse("2026-01-02T03:04:05.678Z");
  public static final ObjectKey SHOP = new ObjectKey("HTTPProxy", "shop", "web");
  public static final String PRIVATE_KEY = "-----BEGIN PRIVATE KEY----- very private";

  private SampleReports() {}

  public static ObjectReport shop() {
    return new ObjectReport(
        SHOP,
        3,
        2,
        List.of(
            condition("Programmed", Condition.Status.FALSE, "Rejected", "envoy-1 said \"no\""),
            condition("Valid", Condition.Status.TRUE, "Valid", "valid")),
        new ProxyCounts(2, 1, 0, 1),
        new TreeMap<>(Map.of("envoy 1.39.0", new ProxyCounts(2, 1, 0, 1))),
        new TreeSet<>(List.of(new ResourceId(ResourceType.ROUTES, "ingress_http"))),
        List.of("shop.yaml:3:1: spec: odd"),
        List.of("shop.yaml:4:1: spec.old: is deprecated"),
        List.of("shop.yaml:5:1: spec.routes[2]: scout: not asked"),
        List.of("-a: 1", "+a: 2"),
        "");
  }

  public static Condition condition(
      String type, Condition.Status status, String reason, String message) {
    return new Condition(type, status, reason, message, 3, AT);
  }

  /** One proxy that accepted clusters and rejected routes. */
  public static ProxyReport proxy(String node) {
    TypeReport clusters =
        new TypeReport(ResourceType.CLUSTER, true, 0, "v2", "v2", 1, null, null, List.of());
    TypeReport secrets =
        new TypeReport(
            ResourceType.SECRET,
            false,
            1,
            "v3",
            "",
            0,
            AT,
            new ErrorReport("bad key", AT, List.of("shop/tls"), null),
            List.of(new RemovalReport("shop/old", "too few", AT)));
    return new ProxyReport(
        node,
        "edge",
        "envoy 1.39.0",
        "envoy 1.39.0",
        null,
        List.of(
            new StreamReport(7, "127.0.0.1:4711", "Delta", true, AT, List.of(clusters, secrets))));
  }

  /** The same, if it rejected what others of its class run. */
  public static ProxyReport diverged(String node) {
    ProxyReport proxy = proxy(node);
    return new ProxyReport(
        node,
        proxy.cluster(),
        proxy.proxyClass(),
        proxy.agent(),
        new ProxyReport.DivergedReport(AT, "regex too big"),
        proxy.streams());
  }

  public static ResourceReport cluster(String name, List<String> accepted) {
    return new ResourceReport(
        resource(ResourceType.CLUSTER, name, Cluster.newBuilder().setName(name).build()),
        accepted,
        List.of(),
        List.of());
  }

  public static ResourceReport secret(List<String> rejected) {
    return new ResourceReport(secret(), List.of(), List.of(), rejected);
  }

  public static ResourceReport acceptedSecret(List<String> accepted) {
    return new ResourceReport(secret(), accepted, List.of(), List.of());
  }

  private static Resource secret() {
    TlsCertificate certificate =
        TlsCertificate.newBuilder()
            .setCertificateChain(DataSource.newBuilder().setInlineString("public"))
            .setPrivateKey(DataSource.newBuilder().setInlineString(PRIVATE_KEY))
            .build();
    return resource(
        ResourceType.SECRET,
        "shop/tls",
        Secret.newBuilder().setName("shop/tls").setTlsCertificate(certificate).build());
  }

  public static Resource resource(ResourceType type, String name, Message body) {
    return new Resource(
        new ResourceId(type, name),
        Digests.of(Digests.serialise(body)),
        Digests.serialise(body),
        Resource.Audience.ALL,
        PersistentMap.<ObjectKey, String>empty().with(SHOP, "d"),
        PersistentMap.empty(),
        () -> List.of(new SourcePlace("", SHOP, 3, "spec")));
  }

  public static HoldReport hold() {
    return new HoldReport(
        SHOP,
        3,
        2,
        "Rejected",
        "",
        "envoy 1.39.0",
        new ResourceId(ResourceType.ROUTES, "ingress_http"),
        "said \"no\"",
        null,
        AT);
  }

  /** One that waits for {@link #hold()}. */
  public static HoldReport dependentHold() {
    return new HoldReport(
        new ObjectKey("ExtensionPolicy", "blog", "lua"),
        1,
        0,
        "DependencyRejected",
        "envoy 1.36.0",
        "",
        null,
        "refers to HTTPProxy/shop/web, which was rejected",
        SHOP,
        AT);
  }

  public static IncidentReport incident(long id, @Nullable Duration took) {
    return new IncidentReport(
        id,
        AT,
        "envoy 1.39.0",
        new ResourceId(ResourceType.ROUTES, "ingress_http"),
        "said \"no\"",
        20,
        1,
        List.of(
            new IncidentReport.Push(Duration.ZERO, 20, List.of("edge-1"), "refused"),
            new IncidentReport.Push(Duration.ofMillis(7), 1, List.of("edge-1"), "open")),
        List.of("trying 1 change", "refused"),
        took == null
            ? List.of()
            : List.of(
                new IncidentReport.OffendingObject(
                    SHOP,
                    3,
                    "envoy 1.39.0",
                    "envoy 1.39.0",
                    new ResourceId(ResourceType.ROUTES, "ingress_http"),
                    "9f86d081",
                    "said \"no\"")),
        took);
  }

  public static Totals totals() {
    return new Totals(
        Map.of("HTTPProxy", 2, "Service", 3),
        Map.of("Programmed", 4, "Rejected", 1),
        1,
        2,
        3,
        1,
        1,
        Map.of(
            ResourceType.CLUSTER,
            new TypeTotals(
                5,
                10,
                8,
                Map.of("envoy 1.39.0", 2L, "envoy 1.38.0", 1L),
                Map.of("envoy 1.39.0", 1L),
                4096,
                new Distribution(
                    List.of(
                        new Distribution.Bucket(Duration.ofMillis(1), 4),
                        new Distribution.Bucket(Duration.ofMillis(500), 9)),
                    11,
                    Duration.ofMillis(1500)),
                Duration.ofSeconds(2))),
        6,
        Map.of("Rejected", 1, "RejectedNew", 0),
        new Totals.Searches(8, 2, Duration.ofMillis(250)),
        7,
        Map.of("partial", 3, "invalid", 0),
        9,
        2);
  }
}
