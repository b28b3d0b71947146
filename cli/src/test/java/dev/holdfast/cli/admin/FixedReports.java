// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.cli.admin;

import com.google.protobuf.UInt32Value;
import dev.holdfast.base.PersistentMap;
import dev.holdfast.base.Problem;
import dev.holdfast.config.Condition;
import dev.holdfast.config.LocatedProblem;
import dev.holdfast.config.ObjectKey;
import dev.holdfast.config.Position;
import dev.holdfast.controlplane.report.DeletionsReport;
import dev.holdfast.controlplane.report.Event;
import dev.holdfast.controlplane.report.HoldReport;
import dev.holdfast.controlplane.report.IncidentReport;
import dev.holdfast.controlplane.report.ObjectReport;
import dev.holdfast.controlplane.report.ProblemReport;
import dev.holdfast.controlplane.report.ProxyCounts;
import dev.holdfast.controlplane.report.ProxyReport;
import dev.holdfast.controlplane.report.ProxyReport.ErrorReport;
import dev.holdfast.controlplane.report.ProxyReport.StreamReport;
import dev.holdfast.controlplane.report.ProxyReport.TypeReport;
import dev.holdfast.controlplane.report.Reports;
import dev.holdfast.controlplane.report.ResourceReport;
import dev.holdfast.controlplane.report.RetryReport;
import dev.holdfast.controlplane.report.Totals;
import dev.holdfast.controlplane.snapshot.Resource;
import dev.holdfast.controlplane.snapshot.ResourceId;
import dev.holdfast.controlplane.snapshot.ResourceType;
import dev.holdfast.controlplane.snapshot.SourcePlace;
import io.envoyproxy.envoy.config.cluster.v3.CircuitBreakers;
import io.envoyproxy.envoy.config.cluster.v3.Cluster;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** A control plane of a shop in which one object was rejected. */
final class FixedReports implements Reports {
  private final Instant at;
  private DeletionsReport deletions = DeletionsReport.NONE;

  FixedReports(Instant at) {
    this.at = at;
  }

  /** From now on a Service and its host are gone from the source. */
  void deleteSome() {
    deletions =
        new DeletionsReport(
            "a b",
            List.of("web.example.com"),
            List.of(
                new DeletionsReport.Deletion(
                    new ObjectKey("HTTPProxy", "shop", "web"), 2, "shop/web.yaml:3:1", at),
                new DeletionsReport.Deletion(
                    new ObjectKey("Service", "shop", "web"), 1, "shop/web.yaml:9:1", at)));
  }

  @Override
  public CompletionStage<DeletionsReport> deletions() {
    return CompletableFuture.completedFuture(deletions);
  }

  @Override
  public CompletionStage<Optional<DeletionsReport>> confirmDeletions(String set) {
    return CompletableFuture.completedFuture(
        set.equals(deletions.set()) ? Optional.of(deletions) : Optional.empty());
  }

  private ObjectReport object(
      String kind, String namespace, String name, Condition.Status programmed, String reason) {
    boolean good = programmed == Condition.Status.TRUE;
    ProxyCounts counts = good ? new ProxyCounts(1, 1, 0, 0) : new ProxyCounts(1, 0, 0, 1);
    return new ObjectReport(
        new ObjectKey(kind, namespace, name),
        2,
        good ? 2 : 1,
        List.of(
            condition("Programmed", programmed, reason, good ? "" : "bad \u001b[31mlua"),
            condition("Valid", Condition.Status.TRUE, "Valid", "")),
        counts,
        new TreeMap<>(Map.of("envoy 1.39.0", counts)),
        new TreeSet<>(List.of(new ResourceId(ResourceType.CLUSTER, "shop/web/80"))),
        good ? List.of() : List.of("web.yaml:3:1: spec: odd"),
        good ? List.of() : List.of("web.yaml:9:1: spec.old: is deprecated"),
        good ? List.of() : List.of("web.yaml:8:1: spec.routes[1]: scout: not asked"),
        good ? List.of() : List.of(" spec:", "-  a: 1", "+  a: \u001b[31m2"),
        namespace + "/" + name + ".yaml:3:1");
  }

  private Condition condition(String type, Condition.Status status, String reason, String message) {
    return new Condition(type, status, reason, message, 2, at);
  }

  @Override
  public CompletionStage<List<ObjectReport>> objects() {
    return CompletableFuture.completedFuture(
        List.of(
            object("HTTPProxy", "blog", "main", Condition.Status.TRUE, "Programmed"),
            object("HTTPProxy", "shop", "main", Condition.Status.TRUE, "Programmed"),
            object("HTTPProxy", "shop", "web", Condition.Status.FALSE, "Rejected")));
  }

  @Override
  public CompletionStage<Optional<ObjectReport>> object(ObjectKey key) {
    return objects()
        .thenApply(all -> all.stream().filter(one -> one.key().equals(key)).findFirst());
  }

  @Override
  public CompletionStage<List<ProxyReport>> proxies() {
    TypeReport type =
        new TypeReport(
            ResourceType.CLUSTER,
            true,
            0,
            "v2",
            "v1",
            3,
            null,
            new ErrorReport("bad lua", at, List.of("shop/web/80"), null),
            List.of());
    return CompletableFuture.completedFuture(
        List.of(
            new ProxyReport(
                "edge-1",
                "edge",
                "envoy 1.39.0",
                "envoy 1.39.0",
                null,
                List.of(new StreamReport(1, "127.0.0.1:4711", "Delta", true, at, List.of(type))))));
  }

  @Override
  public CompletionStage<List<ResourceReport>> resources() {
    Resource resource =
        new Resource(
            new ResourceId(ResourceType.CLUSTER, "shop/web/80"),
            "0123456789abcdef",
            Cluster.newBuilder()
                .setName("shop/web/80")
                .setCircuitBreakers(
                    CircuitBreakers.newBuilder()
                        .addThresholds(
                            CircuitBreakers.Thresholds.newBuilder()
                                .setMaxConnections(UInt32Value.of(7))))
                .build()
                .toByteString(),
            Resource.Audience.ALL,
            PersistentMap.<ObjectKey, String>empty()
                .with(new ObjectKey("HTTPProxy", "shop", "web"), ""),
            PersistentMap.empty(),
            () ->
                List.of(
                    new SourcePlace("", WEB, 2, "spec.routes[0].services[0]"),
                    new SourcePlace("circuit_breakers", WEB, 2, "spec.limits"),
                    new SourcePlace("circuit_breakers", BLOG, 1, "spec.limits"),
                    new SourcePlace("circuit_breakers.thresholds[0]", WEB, 2, "spec.limits.most")));
    return CompletableFuture.completedFuture(
        List.of(
            new ResourceReport(resource, List.of("edge-1"), List.of(), List.of("edge-2"))
                .withLocations(
                    Map.of(
                        new SourcePlace(
                            "circuit_breakers.thresholds[0]", WEB, 2, "spec.limits.most"),
                        "shop/web.yaml:17:3"))));
  }

  @Override
  public CompletionStage<Optional<ResourceReport>> resource(ResourceId id) {
    return resources()
        .thenApply(
            all -> all.stream().filter(report -> report.resource().id().equals(id)).findFirst());
  }

  private static final ObjectKey WEB = new ObjectKey("HTTPProxy", "shop", "web");
  private static final ObjectKey BLOG = new ObjectKey("HTTPProxy", "blog", "main");
  private static final ResourceId ROUTES = new ResourceId(ResourceType.ROUTES, "ingress_http");

  @Override
  public CompletionStage<List<HoldReport>> holds() {
    HoldReport dependent =
        new HoldReport(
            new ObjectKey("HTTPProxy", "blog", "main"),
            1,
            0,
            "DependencyRejected",
            "",
            "",
            null,
            "refers to " + WEB + ", which was rejected",
            WEB,
            at);
    return CompletableFuture.completedFuture(
        List.of(
            dependent,
            new HoldReport(
                WEB, 2, 1, "Rejected", "", "envoy 1.39.0", ROUTES, "bad \u001b[31mlua", null, at)));
  }

  @Override
  public CompletionStage<List<IncidentReport>> incidents() {
    return CompletableFuture.completedFuture(
        List.of(
            incident(3, 4, List.of(), null),
            incident(
                2,
                20,
                List.of(WEB, new ObjectKey("HTTPProxy", "blog", "a")),
                Duration.ofMillis(12_345)),
            incident(1, 1, List.of(WEB), Duration.ofMillis(81))));
  }

  private IncidentReport incident(
      long id, int changes, List<ObjectKey> offenders, @Nullable Duration took) {
    return new IncidentReport(
        id,
        at,
        "envoy 1.39.0",
        ROUTES,
        "bad lua",
        changes,
        9,
        List.of(
            new IncidentReport.Push(Duration.ZERO, changes, List.of("edge-1"), "refused"),
            new IncidentReport.Push(Duration.ofMillis(12), 2, List.of("edge-1", "edge-2"), "open")),
        List.of("trying 2 changes", "refused"),
        offenders.stream()
            .map(
                key ->
                    new IncidentReport.OffendingObject(
                        key, 2, "envoy 1.39.0", "envoy 1.39.0", ROUTES, "9f86d081", "bad lua"))
            .toList(),
        took);
  }

  @Override
  public CompletionStage<RetryReport> retry(ObjectKey key) {
    return CompletableFuture.completedFuture(
        key.equals(WEB)
            ? new RetryReport(RetryReport.Outcome.STARTED, key, 2)
            : new RetryReport(RetryReport.Outcome.NOT_HELD, key, 0));
  }

  @Override
  public CompletionStage<Totals> totals() {
    return CompletableFuture.completedFuture(
        new Totals(
            Map.of(),
            Map.of(),
            0,
            0,
            0,
            0,
            0,
            Map.of(),
            0,
            Map.of(),
            new Totals.Searches(0, 0, Duration.ZERO),
            0,
            Map.of(),
            0,
            0));
  }

  @Override
  public CompletionStage<List<LocatedProblem>> sourceProblems() {
    return CompletableFuture.completedFuture(
        List.of(
            new LocatedProblem(
                new Problem("", Problem.Kind.UNDECODABLE, "not YAML"),
                new Position("odd.yaml", 2, 1))));
  }

  @Override
  public CompletionStage<List<ProblemReport>> problems() {
    List<ProblemReport> problems = new ArrayList<>();
    problems.add(
        ProblemReport.ofSource(
            "not YAML",
            "odd.yaml:2:1",
            List.of(BLOG),
            List.of(BLOG + " stays as it was last read from this file"),
            at));
    for (ObjectReport object : objects().toCompletableFuture().join()) {
      ProblemReport problem = ProblemReport.of(object);
      if (problem != null) {
        problems.add(problem);
      }
      ProblemReport warning = ProblemReport.warning(object);
      if (warning != null) {
        problems.add(warning);
      }
    }
    problems.add(
        ProblemReport.ofProxy(
            ProblemReport.LOCAL_PROBLEM, "edge-1", "cannot apply listener: port in use", at));
    return CompletableFuture.completedFuture(problems);
  }

  @Override
  public boolean ready() {
    return true;
  }

  @Override
  public AutoCloseable watch(Consumer<Event> listener) {
    return () -> {};
  }
}
