// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.server.scouts;

import static java.util.Objects.requireNonNull;

import com.google.protobuf.InvalidProtocolBufferException;
import dev.holdfast.config.ObjectKey;
import dev.holdfast.controlplane.rollout.fleet.ScoutProbe;
import dev.holdfast.controlplane.snapshot.Resource;
import dev.holdfast.controlplane.snapshot.ResourceId;
import dev.holdfast.controlplane.snapshot.ResourceType;
import dev.holdfast.controlplane.snapshot.SourcePlace;
import dev.holdfast.server.envoy.EnvoyExit;
import dev.holdfast.server.envoy.LocalEnvoy;
import dev.holdfast.server.envoy.WarmingResources;
import dev.holdfast.server.options.ScoutFinding;
import dev.holdfast.server.probe.ProbeAnswer;
import dev.holdfast.server.probe.ProbeClient;
import dev.holdfast.server.probe.ProbeDerivation;
import dev.holdfast.server.probe.ProbeVerdict;
import dev.holdfast.server.probe.RouteOwners;
import dev.holdfast.server.probe.RouteProbe;
import io.envoyproxy.envoy.config.route.v3.Route;
import io.envoyproxy.envoy.config.route.v3.RouteAction;
import io.envoyproxy.envoy.config.route.v3.RouteConfiguration;
import io.envoyproxy.envoy.config.route.v3.RouteMatch;
import io.envoyproxy.envoy.config.route.v3.VirtualHost;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.SortedMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Asks each route that a change has an effect on, through the scout that has accepted the change.
 * The requests of one trial are limited in number and in time; what is left over is not asked.
 *
 * <p>If the scout dies meanwhile, nothing is found: its connection ends, which says more. A request
 * that hangs a thread of it does not end the connection. Then the scout is started again.
 */
final class ScoutProber implements ScoutProbe {
  private static final String PLAIN = "ingress_http";
  private static final String TLS = "ingress_https";
  private static final String TLS_ROUTES = "https/";

  private static final int MOST_REQUESTS = 200;

  /** What answers at all does so by then, if the machine is not busy. */
  private static final Duration PATIENCE = Duration.ofMillis(700);

  /** For the second request: a busy machine is slow, and a thread that hangs stays silent. */
  private static final Duration LONG_PATIENCE = Duration.ofSeconds(2);

  private static final int RESTART_MILLIS = 300;
  private static final int LAST_BREATHS = 10;
  private static final int BREATH_MILLIS = 50;

  /** What is accepted and not in use by then waits for something that does not come. */
  static final Duration IN_USE = Duration.ofSeconds(3);

  /** Between the end of a connection and that of the process. */
  private static final Duration SAME_END = Duration.ofSeconds(1);

  private static final Duration ADMIN = Duration.ofSeconds(2);
  private static final String ENDED = "it has ended";

  private final Function<String, @Nullable LocalEnvoy> scouts;
  private final ProbeClient client;
  private final ProbeClient patientClient;
  private final Executor thread;
  private final Set<ScoutFinding> holding;
  private final Duration inUse;

  /**
   * @param scouts by node id; null for one that is not ours
   * @param marker the header that only the sink sets
   * @param thread asks one scout after the other
   * @param holding which findings hold an object; the others are told
   * @param inUse how long what was accepted may take until it is in use
   */
  ScoutProber(
      Function<String, @Nullable LocalEnvoy> scouts,
      String marker,
      Executor thread,
      Set<ScoutFinding> holding,
      Duration inUse) {
    this.scouts = scouts;
    this.inUse = inUse;
    this.holding = holding;
    this.client = new ProbeClient(marker, PATIENCE);
    this.patientClient = new ProbeClient(marker, LONG_PATIENCE);
    this.thread = thread;
  }

  /** Asks the sink itself: the first probe would else wait for classes to be loaded. */
  void warmUp(InetSocketAddress sink) {
    RouteConfiguration routes =
        RouteConfiguration.newBuilder()
            .addVirtualHosts(
                VirtualHost.newBuilder()
                    .setName("any")
                    .addDomains("*")
                    .addRoutes(
                        Route.newBuilder()
                            .setMatch(RouteMatch.newBuilder().setPrefix("/"))
                            .setRoute(RouteAction.newBuilder().setCluster("any"))))
            .build();
    thread.execute(
        () -> {
          for (RouteProbe probe : ProbeDerivation.of(routes, /* isTls= */ false, cluster -> true)) {
            ProbeVerdict.of(probe, client.ask(sink, requireNonNull(probe.request())));
          }
        });
  }

  @Override
  public CompletionStage<Result> probe(Request request) {
    LocalEnvoy scout = scouts.apply(request.node());
    if (scout == null) {
      return CompletableFuture.completedFuture(Result.FINE); // somebody else runs it
    }
    Trial trial = new Trial(scout, request);
    return CompletableFuture.supplyAsync(trial::run, thread);
  }

  @Override
  public @Nullable ProcessEnd end(String node, Instant at) {
    LocalEnvoy scout = scouts.apply(node);
    if (scout == null) {
      return null;
    }
    EnvoyExit found = null;
    for (EnvoyExit exit : scout.exits()) {
      Duration apart = Duration.between(exit.at(), at).abs();
      if (apart.compareTo(SAME_END) <= 0
          && (found == null || apart.compareTo(Duration.between(found.at(), at).abs()) < 0)) {
        found = exit;
      }
    }
    return found == null ? null : new ProcessEnd(found.hung(), words(found));
  }

  private static String words(EnvoyExit exit) {
    String complaint = exit.complaint();
    return complaint.isEmpty() ? exit.text() : exit.text() + ": " + complaint;
  }

  private final class Trial {
    private final LocalEnvoy scout;
    private final Request request;
    private final int exits;
    private final List<Finding> findings = new ArrayList<>();

    /** Policies that made a request fail: others that they are for would fail in the same way. */
    private final Set<ObjectKey> blamed = new HashSet<>();

    /** What requests were to be sent for. */
    private final Set<ObjectKey> about = new HashSet<>();

    private Map<String, InetSocketAddress> listeners = Map.of();
    private int asked;
    private boolean hangs;
    private long deadline;

    Trial(LocalEnvoy scout, Request request) {
      this.scout = scout;
      this.request = request;
      this.exits = scout.ended();
    }

    Result run() {
      try {
        awaitInUse();
        listeners = scout.admin().listeners(ADMIN);
      } catch (IOException e) {
        return new NotAsked("its admin port: " + e.getMessage());
      }
      deadline = System.nanoTime() + request.within().toNanos();
      Set<String> filters = new HashSet<>();
      Set<String> routes = new HashSet<>();
      for (Resource resource : request.changed()) {
        if (resource.id().type() == ResourceType.EXTENSION) {
          filters.add(resource.name());
        } else if (resource.id().type() == ResourceType.ROUTES) {
          routes.add(resource.name());
        }
      }
      request
          .shown()
          .listed(ResourceType.ROUTES)
          .forEach(
              resource -> {
                if (isForProxies(resource.name())
                    && (routes.contains(resource.name()) || !filters.isEmpty())) {
                  ask(resource, filters);
                }
              });
      return isGone() ? new NotAsked(ENDED) : new Asked(findings, hangs, about);
    }

    /**
     * What is accepted is in use a moment later; until then, requests go to what was there before.
     * Some of it never is, and nobody else would notice before a proxy is started anew.
     */
    private void awaitInUse() throws IOException {
      long end = System.nanoTime() + inUse.toNanos();
      try {
        while (!isGone() && !WarmingResources.isNone(scout.admin(), ADMIN)) {
          if (System.nanoTime() > end) {
            addUnused(WarmingResources.of(scout.admin(), ADMIN));
            return;
          }
          Thread.sleep(BREATH_MILLIS);
        }
        Thread.sleep(BREATH_MILLIS); // from the main thread to those that serve
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
      }
    }

    /** What the scout was shown before may be unused for a reason that is not this change. */
    private void addUnused(SortedMap<ResourceId, List<String>> unused) {
      unused.forEach(
          (id, targets) -> {
            Resource now = request.shown().get(id);
            if (now != null && request.changed().contains(now)) {
              ObjectKey object = changedIn(now);
              if (object != null) {
                add(
                    object,
                    now,
                    "",
                    WarmingResources.words(id, inUse, targets),
                    weight(ScoutFinding.NOT_IN_USE));
              }
            }
          });
    }

    /** One of those whose part differs: what the search finds counts, not this. */
    private @Nullable ObjectKey changedIn(Resource now) {
      Resource before = request.before().get(now.id());
      for (Map.Entry<ObjectKey, String> part : now.contributions()) {
        if (before == null || !part.getValue().equals(before.contributions().get(part.getKey()))) {
          return part.getKey();
        }
      }
      return null;
    }

    private Weight weight(ScoutFinding finding) {
      return holding.contains(finding) ? Weight.HOLDS : Weight.WARNS;
    }

    private boolean isGone() {
      return scout.ended() != exits;
    }

    private void ask(Resource resource, Set<String> filters) {
      RouteConfiguration now = routes(resource);
      Resource old = request.before().get(resource.id());
      RouteConfiguration before =
          old == null ? RouteConfiguration.getDefaultInstance() : routes(old);
      Set<Integer> hosts = ChangedHosts.of(before, now, filters);
      if (hosts.isEmpty()) {
        return;
      }
      boolean isTls = resource.name().startsWith(TLS_ROUTES);
      InetSocketAddress listener = listeners.get(isTls ? TLS : PLAIN);
      if (listener == null) {
        return; // the first hosts have no listener yet
      }
      RouteOwners owners = new RouteOwners(resource.provenance().places());
      // Scouts use no TLS with what stands in for backends, so that every cluster is reachable.
      for (RouteProbe probe : ProbeDerivation.of(now, hosts::contains, isTls, cluster -> true)) {
        if (isGone() || hangs) {
          return;
        }
        // One request in any case: a busy machine is no reason to ask nothing.
        if (asked >= MOST_REQUESTS || (asked > 0 && System.nanoTime() > deadline)) {
          SourcePlace owner = owners.owner(probe);
          if (owner != null) {
            add(owner, resource, "not asked: no time is left for it", Weight.NOT_PROBED);
          }
          return;
        }
        ask(probe, owners, resource, listener);
      }
    }

    private void ask(
        RouteProbe probe, RouteOwners owners, Resource resource, InetSocketAddress listener) {
      SourcePlace owner = owners.owner(probe);
      SourcePlace guilty = owners.guilty(probe);
      if (owner == null || guilty == null) {
        return; // we have made the route ourselves
      }
      about.add(owner.object());
      about.addAll(owners.policies(probe));
      if (owners.policies(probe).stream().anyMatch(blamed::contains)) {
        return; // we know enough
      }
      if (probe.request() == null) {
        if (!probe.isShadowed()) {
          add(owner, resource, "not asked: " + probe.reason(), Weight.NOT_PROBED);
        } else {
          SourcePlace taker = owners.owner(probe.hostPath() + "." + probe.reason());
          addShadowed(
              owner,
              resource,
              "every request for it is taken by "
                  + (taker == null ? "another route" : taker.object() + ": " + taker.field()));
        }
        return;
      }
      ProbeAnswer answer = answer(probe, listener);
      switch (ProbeVerdict.of(probe, answer)) {
        case FINE -> {}
        case UNKNOWN ->
            add(owner, resource, "no TLS connection: " + answer.text(), Weight.NOT_PROBED);
        case ELSEWHERE ->
            addShadowed(
                owner, resource, probe.request() + ": " + words(answer) + ", not this route");
        case FAILED -> {
          if (answer.kind() == ProbeAnswer.Kind.SILENT) {
            // The thread that hangs would answer nobody else. The finding comes first.
            hangs = true;
            CompletableFuture.delayedExecutor(RESTART_MILLIS, TimeUnit.MILLISECONDS)
                .execute(scout::restart);
          } else if (answer.kind() == ProbeAnswer.Kind.CLOSED && diesOfIt()) {
            return;
          }
          if (!guilty.equals(owner)) {
            blamed.add(guilty.object());
          }
          add(
              guilty,
              resource,
              probe.request() + ": " + words(answer) + owners.suspects(probe),
              weight(ScoutFinding.FAILED));
        }
      }
    }

    /** Whether it ends just now. */
    private boolean diesOfIt() {
      try {
        for (int i = 0; i < LAST_BREATHS && !isGone(); i++) {
          Thread.sleep(BREATH_MILLIS);
        }
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
      }
      return isGone();
    }

    /** One failure may be bad luck: the answer is that of the second request then. */
    private ProbeAnswer answer(RouteProbe probe, InetSocketAddress listener) {
      asked++;
      ProbeAnswer first = client.ask(listener, requireNonNull(probe.request()));
      return ProbeVerdict.of(probe, first) == ProbeVerdict.FAILED && !isGone()
          ? patientClient.ask(listener, requireNonNull(probe.request()))
          : first;
    }

    /** A route of an object that is as it was may have been out of reach all the time. */
    private void addShadowed(SourcePlace owner, Resource resource, String message) {
      Resource before = request.before().get(resource.id());
      ObjectKey object = owner.object();
      boolean isNew =
          before == null
              || !Objects.equals(
                  before.contributions().get(object), resource.contributions().get(object));
      add(owner, resource, message, isNew ? weight(ScoutFinding.SHADOWED) : Weight.WARNS);
    }

    private void add(SourcePlace place, Resource resource, String message, Weight weight) {
      add(place.object(), resource, place.field(), message, weight);
    }

    private void add(
        ObjectKey object, Resource resource, String field, String message, Weight weight) {
      findings.add(new Finding(object, resource.id(), field, message, weight));
    }
  }

  private static String words(ProbeAnswer answer) {
    if (answer.kind() != ProbeAnswer.Kind.ANSWERED) {
      return answer.text();
    }
    if (answer.isFromSink()) {
      return "a backend answers";
    }
    return "the proxy itself answers "
        + answer.status()
        + (answer.text().isEmpty() ? "" : " \"" + answer.text() + "\"");
  }

  private static boolean isForProxies(String routes) {
    return routes.equals(PLAIN) || routes.startsWith(TLS_ROUTES);
  }

  private static RouteConfiguration routes(Resource resource) {
    try {
      return RouteConfiguration.parseFrom(resource.body());
    } catch (InvalidProtocolBufferException e) {
      throw new IllegalStateException("what we have made ourselves", e);
    }
  }
}
