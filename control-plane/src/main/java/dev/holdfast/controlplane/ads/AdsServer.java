// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.controlplane.ads;

import static java.util.Objects.requireNonNull;

import dev.holdfast.base.Loop;
import dev.holdfast.base.TimeSource;
import dev.holdfast.config.Holder;
import dev.holdfast.config.Rejection;
import dev.holdfast.controlplane.ads.proxy.AdsObserver;
import dev.holdfast.controlplane.ads.proxy.ProxyNode;
import dev.holdfast.controlplane.ads.proxy.RejectedVersions;
import dev.holdfast.controlplane.ads.proxy.RetrySchedule;
import dev.holdfast.controlplane.ads.proxy.TypeStats;
import dev.holdfast.controlplane.ads.reconnect.DisconnectedProxies;
import dev.holdfast.controlplane.ads.stream.AckNackHandler;
import dev.holdfast.controlplane.ads.stream.AdsStream;
import dev.holdfast.controlplane.ads.stream.EdsServiceNames;
import dev.holdfast.controlplane.ads.stream.Proxy;
import dev.holdfast.controlplane.ads.stream.ResponseSender;
import dev.holdfast.controlplane.ads.stream.SendQueue;
import dev.holdfast.controlplane.ads.stream.StreamEnv;
import dev.holdfast.controlplane.ads.stream.StreamHost;
import dev.holdfast.controlplane.ads.stream.TypeStream;
import dev.holdfast.controlplane.ads.view.ServedView;
import dev.holdfast.controlplane.ads.view.ServedViews;
import dev.holdfast.controlplane.ads.view.SnapshotDiffs;
import dev.holdfast.controlplane.ads.wire.Protocol;
import dev.holdfast.controlplane.ads.wire.ResponseEncoder;
import dev.holdfast.controlplane.ads.wire.ResponseSink;
import dev.holdfast.controlplane.ads.wire.StreamAcceptor;
import dev.holdfast.controlplane.snapshot.Resource;
import dev.holdfast.controlplane.snapshot.ResourceId;
import dev.holdfast.controlplane.snapshot.ResourceType;
import dev.holdfast.controlplane.snapshot.Snapshot;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.UnaryOperator;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/**
 * The xDS server: the connected proxies, the snapshots that they are served, and the versions that
 * they rejected. Loop only.
 */
public final class AdsServer implements StreamAcceptor {
  private static final Duration TIMEOUT_CHECK_INTERVAL = Duration.ofSeconds(1);

  /** How many proxies' rejections are remembered after they disconnect. */
  private static final int MAX_REMEMBERED = 10_000;

  private final Loop loop;
  private final TimeSource time;
  private final AdsObserver observer;
  private final ResponseEncoder encoder;
  private final RetrySchedule retries;
  private final DisconnectedProxies disconnected;
  private final ServedViews views = new ServedViews();
  private final SendQueue queue;
  private final StreamEnv streamEnv;

  /** The connected proxies by node id. */
  private final SortedMap<String, Proxy> proxies = new TreeMap<>();

  /** By node id; also of proxies that are not connected. */
  private final Map<String, RejectedVersions> rejections =
      new LinkedHashMap<>() {
        @Override
        protected boolean removeEldestEntry(Map.Entry<String, RejectedVersions> eldest) {
          return size() > MAX_REMEMBERED && !proxies.containsKey(eldest.getKey());
        }
      };

  private final Map<ResourceType, TypeStats> stats = new EnumMap<>(ResourceType.class);
  private TimeSource.@Nullable Timer timeoutCheck;
  private long lastStream;
  private long lastConnection;
  private long unknownTypes;
  private boolean closed;

  /**
   * @param random for the jitter of retries
   * @param identifier names this control plane in every response
   * @param mask replaces the sensitive values in a proxy's error text
   */
  public AdsServer(
      Loop loop,
      TimeSource time,
      RandomGenerator random,
      String identifier,
      AdsObserver observer,
      UnaryOperator<String> mask) {
    this.loop = loop;
    this.time = time;
    this.observer = observer;
    this.encoder = new ResponseEncoder(identifier);
    this.queue = new SendQueue(loop);
    this.disconnected = new DisconnectedProxies(time);
    this.retries = new RetrySchedule(time, loop, random, this::retry);
    ResourceType.ALL.forEach(type -> stats.put(type, new TypeStats()));
    this.streamEnv =
        new StreamEnv(
            new Host(),
            time,
            observer,
            views,
            disconnected,
            queue,
            new ResponseSender(time, encoder, this::stats),
            new AckNackHandler(time, observer, views, retries, this::stats, mask),
            new EdsServiceNames());
  }

  // Served snapshots.

  /** Serves one snapshot to all proxies. */
  public void publish(Snapshot next) {
    show(next, Set.of(), next);
  }

  /**
   * Serves a trial to the canaries and a baseline to all other proxies, connected or not, except
   * those of classes with a view of their own.
   *
   * @param canaries node ids
   */
  public void show(Snapshot baseline, Set<String> canaries, Snapshot trial) {
    views.show(new ServedView(baseline, canaries, trial));
    applyViews();
  }

  /** Gives the proxies of one class a view of their own. */
  public void showClass(
      String proxyClass, Snapshot baseline, Set<String> canaries, Snapshot trial) {
    views.showClass(proxyClass, new ServedView(baseline, canaries, trial));
    applyViews();
  }

  /** Returns the proxies of a class to the common view. */
  public void joinClass(String proxyClass) {
    if (views.joinClass(proxyClass)) {
      applyViews();
    }
  }

  private void applyViews() {
    loop.check();
    encoder.clearEntries();
    SnapshotDiffs diffs = new SnapshotDiffs();
    for (Proxy proxy : proxies.values()) {
      Snapshot view = views.of(proxy.node().proxyClass()).of(proxy.node().id());
      boolean changed = false;
      for (AdsStream stream : proxy.streams()) {
        changed |= stream.show(view, diffs);
      }
      if (changed) {
        queue.add(proxy);
      }
    }
  }

  /** The common baseline. */
  public Snapshot snapshot() {
    return views.commonBaseline();
  }

  // Proxies.

  @Override
  public AdsStream open(ResponseSink sink, Protocol protocol, @Nullable ResourceType only) {
    loop.check();
    return new AdsStream(++lastStream, streamEnv, sink, protocol, only);
  }

  /** The streams' way back to this server. */
  private final class Host implements StreamHost {
    @Override
    public Proxy join(AdsStream stream, ProxyNode node) {
      Proxy proxy =
          proxies.computeIfAbsent(
              node.id(),
              id ->
                  new Proxy(
                      ++lastConnection,
                      node,
                      rejections.computeIfAbsent(id, unused -> new RejectedVersions())));
      proxy.add(stream, node);
      disconnected
          .confirmed()
          .streamOpened(stream.id(), node.id(), stream.isAggregated() && node.isEnvoy());
      observer.connected(node, stream.sink().address());
      return proxy;
    }

    @Override
    public void leave(AdsStream stream, Proxy proxy) {
      ProxyNode node = proxy.node();
      disconnected.confirmed().streamEnded(stream.id());
      disconnected.streamEnded(node.id(), stream.heldVersions());
      proxy.remove(stream);
      boolean last = proxy.streams().isEmpty();
      if (last) {
        proxies.remove(node.id());
        retries.left(node.id());
        proxy.rejections().clearLocalProblems();
        forgetClass(node.proxyClass());
      }
      observer.disconnected(node, stream.sink().address(), last);
    }

    private void forgetClass(String proxyClass) {
      if (views.hasTooManyClasses()
          && proxies.values().stream().noneMatch(p -> p.node().proxyClass().equals(proxyClass))) {
        views.forgetClass(proxyClass);
      }
    }

    @Override
    public void watchTimeouts() {
      if (timeoutCheck == null && !closed) {
        timeoutCheck =
            time.schedule(
                TIMEOUT_CHECK_INTERVAL, () -> loop.execute(AdsServer.this::checkTimeouts));
      }
    }

    @Override
    public void countUnknownType() {
      unknownTypes++;
    }

    @Override
    public boolean isClosed() {
      return closed;
    }
  }

  private void checkTimeouts() {
    timeoutCheck = null;
    boolean again = false;
    long now = time.nanoTime();
    for (Proxy proxy : List.copyOf(proxies.values())) {
      for (AdsStream stream : proxy.streams()) {
        again |= stream.checkTimeouts(now);
      }
    }
    if (again) {
      streamEnv.host().watchTimeouts();
    }
  }

  /** All connected proxies, ordered by node id. */
  public Collection<Proxy> proxies() {
    return Collections.unmodifiableCollection(proxies.values());
  }

  /** A connected proxy; null if the node is not connected. */
  public @Nullable Proxy proxy(String node) {
    return proxies.get(node);
  }

  // Rejections.

  /** Restores a rejection from an earlier process. */
  public void restoreRejection(
      String node, ResourceId id, String version, String message, Instant at) {
    rejections
        .computeIfAbsent(node, unused -> new RejectedVersions())
        .add(id, version, message, at);
  }

  /** The proxies that cannot run a resource because of a local problem are sent it again. */
  private void retry(String node, ResourceId id) {
    Proxy proxy = proxies.get(node);
    if (proxy == null || closed) {
      return;
    }
    proxy.rejections().clearLocalProblem(id);
    for (AdsStream stream : proxy.streams()) {
      TypeStream typeStream = stream.typeStream(id.type());
      if (typeStream != null) {
        typeStream.retry(id.name());
      }
    }
    queue.add(proxy);
  }

  /**
   * Forgets that proxies rejected versions of a resource other than the served one, so that they
   * can be tried again. Returns the forgotten rejections of connected proxies.
   */
  public List<Rejection.Key> forgetRejections(ResourceId id) {
    loop.check();
    List<Rejection.Key> forgotten = new ArrayList<>();
    Resource served = snapshot().get(id);
    rejections.forEach(
        (node, rejected) -> {
          Proxy proxy = proxies.get(node);
          for (String version : rejected.forgetExcept(id, served == null ? "" : served.version())) {
            if (proxy != null) {
              forgotten.add(
                  new Rejection.Key(
                      proxy.node().proxyClass(), node, id.type().typeUrl(), id.name(), version));
            }
          }
        });
    return forgotten;
  }

  /** The times of retries after local problems. */
  RetrySchedule retries() {
    return retries;
  }

  // Restart.

  /** Restores the snapshots that an earlier process may have served. */
  public void restoreServed(Snapshot accepted, Snapshot desired) {
    disconnected.restore(accepted, desired);
  }

  /** Restores the versions that proxies are known to have held when an earlier process ended. */
  public void restoreConfirmed(SortedMap<Holder, String> held) {
    disconnected.confirmed().restore(held);
  }

  /** The proxies of the earlier process have reconnected, or will not any more. */
  public void forgetRestored() {
    disconnected.forgetRestored();
  }

  /**
   * Stops sending. Streams end with the gRPC server.
   *
   * @return the versions that proxies are known to hold from now on
   */
  public SortedMap<Holder, String> close() {
    loop.check();
    closed = true;
    if (timeoutCheck != null) {
      timeoutCheck.cancel();
    }
    retries.close();
    SortedMap<String, Map<ResourceType, String>> connected = new TreeMap<>();
    proxies.forEach((node, proxy) -> connected.put(node, proxy.confirmedVersions()));
    return disconnected.confirmed().with(connected);
  }

  // Statistics.

  public TypeStats stats(ResourceType type) {
    return requireNonNull(stats.get(type));
  }

  /** Requests for types that their streams do not carry. */
  public long unknownTypes() {
    return unknownTypes;
  }

  TimeSource time() {
    return time;
  }

  @Override
  public Loop loop() {
    return loop;
  }
}
