// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.grpc.config;

import dev.holdfast.base.Loop;
import dev.holdfast.base.PersistentMap;
import dev.holdfast.grpc.XdsTypes;
import dev.holdfast.xds.client.XdsClient;
import io.grpc.Status;
import io.grpc.StatusOr;
import java.util.Objects;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Watches everything that one target depends on and makes one configuration of it (gRFC A74).
 *
 * <p>Routes come into force when all clusters that they name are answered, by contents or by an
 * error; until then the earlier ones stay, and what becomes of their clusters still gets through. A
 * cluster that cannot be used fails alone. Only an error of the listener or of the routes fails the
 * whole.
 *
 * <p>Works on a loop; what happens in one turn of it makes one configuration, and no configuration
 * if nothing comes of it.
 */
public final class DependencyManager implements AutoCloseable {
  private final Dependencies dependencies;
  private final Consumer<? super StatusOr<XdsConfig>> listener;

  // Loop only.
  private final RouteWatch routes;
  private final ClusterGraph graph;
  private final SortedMap<String, Integer> subscribed = new TreeMap<>();
  private @Nullable Routes inForce;
  private @Nullable XdsConfig told;
  private @Nullable PersistentMap<String, StatusOr<ClusterConfig>> toldClusters;
  private @Nullable Status toldFailure;
  private boolean flushPending;
  private boolean closed;

  /**
   * What is watched, and by what means.
   *
   * @param client asks the control plane
   * @param types those of the client's resources
   * @param hosts asks DNS
   * @param nodeId who this is, for error texts; may be empty
   */
  public record Sources(XdsClient client, XdsTypes types, HostResolver hosts, String nodeId) {}

  /**
   * @param listener the name of the resource that everything begins with
   * @param authority for which a virtual host is sought
   */
  public record Target(String listener, String authority) {}

  private DependencyManager(
      Sources sources, Target target, Loop loop, Consumer<? super StatusOr<XdsConfig>> listener) {
    dependencies =
        new Dependencies(
            sources.client(),
            sources.types(),
            loop,
            sources.hosts(),
            new ErrorTexts(sources.nodeId()));
    this.listener = listener;
    graph = new ClusterGraph(dependencies, this::changed);
    routes = new RouteWatch(dependencies, target, this::routesChanged);
  }

  /**
   * Starts to watch.
   *
   * @param listener is told on the loop: the whole configuration, or UNAVAILABLE and why there is
   *     none
   */
  public static DependencyManager start(
      Sources sources, Target target, Loop loop, Consumer<? super StatusOr<XdsConfig>> listener) {
    DependencyManager manager = new DependencyManager(sources, target, loop, listener);
    loop.execute(manager::begin);
    return manager;
  }

  /**
   * Keeps a cluster in the configurations even when routes no longer name it. One that was never
   * named before appears once it is answered; nothing waits for it. Only from the loop.
   */
  public Subscription subscribe(String cluster) {
    dependencies.loop().check();
    subscribed.merge(cluster, 1, Integer::sum);
    graph.shapeChanged();
    AtomicBoolean open = new AtomicBoolean(true);
    return () -> {
      if (open.compareAndSet(true, false)) {
        dependencies.loop().execute(() -> unsubscribe(cluster));
      }
    };
  }

  private void unsubscribe(String cluster) {
    if (!closed) {
      subscribed.computeIfPresent(cluster, (name, count) -> count == 1 ? null : count - 1);
      graph.shapeChanged();
    }
  }

  /** Asks DNS again, for all clusters that depend on it. From any thread. */
  public void refresh() {
    dependencies.loop().execute(graph::refresh);
  }

  /** Ends all watches; the listener is told nothing more. From any thread. */
  @Override
  public void close() {
    dependencies.loop().execute(this::end);
  }

  private void begin() {
    if (!closed) {
      routes.start();
    }
  }

  private void end() {
    closed = true;
    routes.close();
    graph.close();
  }

  private void routesChanged() {
    graph.common(routes.ambient());
  }

  private void changed() {
    if (!flushPending) {
      flushPending = true;
      dependencies.loop().atEndOfTurn(this::flush);
    }
  }

  private void flush() {
    flushPending = false;
    if (closed) {
      return;
    }
    StatusOr<Routes> wanted = routes.wanted();
    boolean newShape = graph.hasNewShape();
    if (newShape) {
      graph.watch(roots(wanted));
      advance(wanted);
    }
    PersistentMap<String, StatusOr<ClusterConfig>> clusters =
        newShape ? graph.reshape(roots(null)) : graph.update();
    if (newShape) {
      graph.forget(roots(wanted));
    }
    if (wanted != null && !wanted.hasValue()) {
      tellFailure(wanted.getStatus());
    } else if (inForce != null) {
      tell(inForce, clusters);
    }
  }

  /** Brings routes into force whose clusters are all answered; an error does so at once. */
  @SuppressWarnings("ReferenceEquality") // what did not change is the same object
  private void advance(@Nullable StatusOr<Routes> wanted) {
    if (wanted == null) {
      return;
    }
    if (!wanted.hasValue()) {
      inForce = null;
    } else if (wanted.getValue() != inForce && graph.whole(wanted.getValue().clusters())) {
      inForce = wanted.getValue();
    }
  }

  /** The clusters that calls name now, and those of routes that are to come into force. */
  private SortedSet<String> roots(@Nullable StatusOr<Routes> wanted) {
    SortedSet<String> roots = new TreeSet<>(subscribed.keySet());
    if (inForce != null) {
      roots.addAll(inForce.clusters());
    }
    if (wanted != null && wanted.hasValue()) {
      roots.addAll(wanted.getValue().clusters());
    }
    return roots;
  }

  @SuppressWarnings("ReferenceEquality") // what did not change is the same object
  private void tell(Routes now, PersistentMap<String, StatusOr<ClusterConfig>> clusters) {
    if (told != null
        && told.manager() == now.manager()
        && told.virtualHost() == now.virtualHost()
        && toldClusters == clusters) {
      return;
    }
    told = new XdsConfig(now.manager(), now.virtualHost(), new ClusterMap(clusters));
    toldClusters = clusters;
    toldFailure = null;
    listener.accept(StatusOr.fromValue(told));
  }

  private void tellFailure(Status failure) {
    if (toldFailure != null
        && Objects.equals(toldFailure.getDescription(), failure.getDescription())) {
      return;
    }
    told = null;
    toldClusters = null;
    toldFailure = failure;
    listener.accept(StatusOr.fromStatus(failure));
  }
}
