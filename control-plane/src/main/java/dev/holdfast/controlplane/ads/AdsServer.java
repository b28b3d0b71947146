// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.controlplane.ads;

import static java.util.Objects.requireNonNull;

import dev.holdfast.base.Loop;
import dev.holdfast.base.TimeSource;
import dev.holdfast.config.Holder;
import dev.holdfast.config.Rejection;
import dev.holdfast.controlplane.ads.access.AccessPolicy;
import dev.holdfast.controlplane.ads.proxy.AdsObserver;
import dev.holdfast.controlplane.ads.proxy.ProxyNode;
import dev.holdfast.controlplane.ads.proxy.RejectedVersions;
import dev.holdfast.controlplane.ads.proxy.RejectionTable;
import dev.holdfast.controlplane.ads.proxy.RetrySchedule;
import dev.holdfast.controlplane.ads.proxy.TypeStats;
import dev.holdfast.controlplane.ads.reconnect.DisconnectedProxies;
import dev.holdfast.controlplane.ads.reconnect.HeldClaim;
import dev.holdfast.controlplane.ads.stream.AckNackHandler;
import dev.holdfast.controlplane.ads.stream.AdsStream;
import dev.holdfast.controlplane.ads.stream.ConnectedProxies;
import dev.holdfast.controlplane.ads.stream.EdsServiceNames;
import dev.holdfast.controlplane.ads.stream.Proxy;
import dev.holdfast.controlplane.ads.stream.ResponseSender;
import dev.holdfast.controlplane.ads.stream.SendQueue;
import dev.holdfast.controlplane.ads.stream.StreamEnv;
import dev.holdfast.controlplane.ads.stream.StreamHost;
import dev.holdfast.controlplane.ads.stream.TypeStream;
import dev.holdfast.controlplane.ads.view.HostForm;
import dev.holdfast.controlplane.ads.view.HostView;
import dev.holdfast.controlplane.ads.view.ScoutSettings;
import dev.holdfast.controlplane.ads.view.ScoutView;
import dev.holdfast.controlplane.ads.view.ServedView;
import dev.holdfast.controlplane.ads.view.ServedViews;
import dev.holdfast.controlplane.ads.view.SnapshotDiffs;
import dev.holdfast.controlplane.ads.wire.AdsLimits;
import dev.holdfast.controlplane.ads.wire.Protocol;
import dev.holdfast.controlplane.ads.wire.Refusal;
import dev.holdfast.controlplane.ads.wire.RefusalCounts;
import dev.holdfast.controlplane.ads.wire.ResponseEncoder;
import dev.holdfast.controlplane.ads.wire.ResponseSink;
import dev.holdfast.controlplane.ads.wire.StreamAcceptor;
import dev.holdfast.controlplane.ledger.DecisionProbe;
import dev.holdfast.controlplane.snapshot.Resource;
import dev.holdfast.controlplane.snapshot.ResourceId;
import dev.holdfast.controlplane.snapshot.ResourceType;
import dev.holdfast.controlplane.snapshot.Snapshot;
import io.grpc.Status;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.EnumMap;
import java.util.HashMap;
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

  private static final Status TWO_PROCESSES =
      Status.UNAVAILABLE.withDescription("another process uses this node id, and still answers");

  /** Of a node that is not connected; no proxy has it. */
  private static final long NO_CONNECTION = 0;

  private final Loop loop;
  private final TimeSource time;
  private final AdsLimits limits;
  private final RefusalCounts refusals = new RefusalCounts();
  private final AdsObserver observer;
  private final ResponseEncoder encoder;
  private final RetrySchedule retries;
  private final DisconnectedProxies disconnected;
  private final ServedViews views = new ServedViews();
  private final HostView hosts;
  private final ScoutView scouts;
  private final SendQueue queue;
  private final StreamEnv streamEnv;

  private final ConnectedProxies proxies;

  /** Also of proxies that are not connected. */
  private final RejectionTable rejections;

  private final Map<ResourceType, TypeStats> stats = new EnumMap<>(ResourceType.class);
  private TimeSource.@Nullable Timer timeoutCheck;
  private long lastStream;
  private long lastConnection;
  private long unknownTypes;
  private long names;
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
    this(
        loop,
        time,
        random,
        identifier,
        observer,
        mask,
        AdsLimits.defaults(),
        AccessPolicy.NONE,
        ScoutSettings.NO_SINK,
        /* vhds= */ false,
        DecisionProbe.NONE);
  }

  /**
   * The same, with limits for what proxies may use up.
   *
   * @param vhds whether proxies that take it get each host without TLS as a resource of its own
   */
  public AdsServer(
      Loop loop,
      TimeSource time,
      RandomGenerator random,
      String identifier,
      AdsObserver observer,
      UnaryOperator<String> mask,
      AdsLimits limits,
      AccessPolicy access,
      ScoutSettings scouts,
      boolean vhds,
      DecisionProbe probe) {
    this.loop = loop;
    this.time = time;
    this.limits = limits;
    this.observer = observer;
    this.hosts = new HostView(vhds);
    this.scouts = new ScoutView(scouts);
    this.encoder = new ResponseEncoder(identifier);
    this.queue = new SendQueue(loop);
    this.disconnected = new DisconnectedProxies(time);
    this.proxies = new ConnectedProxies(disconnected);
    this.rejections = new RejectionTable(proxies::contains);
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
            new AckNackHandler(time, observer, views, retries, this::stats, mask, probe),
            new EdsServiceNames(),
            this.hosts,
            this.scouts,
            access,
            probe);
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
    views.show(view(views.common(), baseline, canaries, trial));
    applyViews();
  }

  /** Gives the proxies of one class a view of their own. */
  public void showClass(
      String proxyClass, Snapshot baseline, Set<String> canaries, Snapshot trial) {
    views.showClass(proxyClass, view(views.of(proxyClass), baseline, canaries, trial));
    applyViews();
  }

  /** A view whose canaries are those that are connected now, or were when the trial began. */
  private ServedView view(
      ServedView before, Snapshot baseline, Set<String> canaries, Snapshot trial) {
    Map<String, Long> connections = new HashMap<>();
    for (String node : canaries) {
      Proxy proxy = proxies.get(node);
      Long known = trial == before.trial() ? before.canaries().get(node) : null;
      long now = proxy == null ? NO_CONNECTION : proxy.connection();
      connections.put(node, known == null ? now : known);
    }
    return new ServedView(baseline, connections, trial);
  }

  /** Whether a node has connected again since it was chosen as a canary. */
  public boolean isFormerCanary(Proxy proxy) {
    return views
        .of(proxy.node().proxyClass())
        .isFormerCanary(proxy.node().id(), proxy.connection());
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
    for (Proxy proxy : List.copyOf(proxies.all())) { // an error of our own ends a stream
      applyView(proxy, diffs);
    }
  }

  private void applyView(Proxy proxy, SnapshotDiffs diffs) {
    Snapshot view = viewOf(proxy);
    boolean[] changed = {false};
    for (AdsStream stream : List.copyOf(proxy.streams())) {
      stream.guard("showing a snapshot", () -> changed[0] |= stream.show(view, diffs));
    }
    if (changed[0]) {
      queue.add(proxy);
    }
  }

  private Snapshot viewOf(Proxy proxy) {
    return views.of(proxy.node().proxyClass(), proxy.node().id(), proxy.connection());
  }

  /**
   * Serves one proxy another snapshot than its class, as long as it is connected.
   *
   * @param only the resources that are replaced, if the snapshot has them; null for all
   * @param trial whether the proxy tries them
   */
  public void showProxy(Proxy proxy, Snapshot own, @Nullable Set<ResourceId> only, boolean trial) {
    views.showProxy(proxy.connection(), own, only, trial);
    applyView(proxy, new SnapshotDiffs());
  }

  /** Returns a proxy to what its class is served. */
  public void joinProxy(Proxy proxy) {
    if (views.joinProxy(proxy.connection())) {
      applyView(proxy, new SnapshotDiffs());
    }
  }

  /** Conclusions are about to be drawn from everything that proxies have rejected. */
  public void judging() {
    proxies.all().forEach(Proxy::judging);
  }

  /** Conclusions were drawn from everything that proxies had rejected when this began. */
  public void judged() {
    for (Proxy proxy : proxies.all()) {
      if (proxy.judged()) {
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
    public Proxy join(AdsStream stream, ProxyNode node, HeldClaim claim) {
      Proxy proxy = proxies.find(stream, node, claim);
      if (proxy == null) {
        ProxyNode named = node.withId(proxies.nameFor(node.id(), claim));
        Long former = proxies.formerProcess(node.id(), claim);
        proxy = new Proxy(++lastConnection, node.id(), named, rejections.of(named.id()));
        proxies.add(proxy);
        proxy.rejections().connected();
        if (former != null) {
          takeName(proxy);
          disconnected.isBack(node.id(), former, named.id());
          rejections.takeBack(former, named.id());
          proxy.rejections().connected();
        }
        if (!proxy.rejections().isEmpty()) {
          proxy.rejected(); // it may be shown some of that
        }
      }
      proxy.add(stream, node);
      disconnected
          .confirmed()
          .streamOpened(stream.id(), proxy.node().id(), stream.isAggregated() && node.isEnvoy());
      observer.connected(proxy.node(), stream.sink().address());
      List<Proxy> sharing = sharing(proxy);
      if (sharing.size() > 1 && proxy.streams().size() == 1) {
        observer.nodeIdShared(proxy.node(), sharing.get(0).node(), stream.sink().address());
        sharing.forEach(each -> observer.indistinct(each.node(), each.rejections().versions()));
      }
      return proxy;
    }

    @Override
    public void startedAnew(AdsStream stream, Proxy proxy) {
      if (proxy.streams().size() > 1) {
        return;
      }
      observer.startedAnew(proxy.node());
      if (takeName(proxy)) {
        stream.typeStreams().forEach(TypeStream::recheckRejected);
        queue.add(proxy);
      }
    }

    /**
     * A proxy is not the process that had its name before: what that one rejected is not its own.
     * Returns whether there was any of that.
     */
    private boolean takeName(Proxy proxy) {
      Map<RejectedVersions.Key, RejectedVersions.Reason> rejected =
          proxy.rejections().takeInherited();
      Long replaced = disconnected.replaced(proxy.nodeId(), proxy.node().id());
      if (replaced != null) {
        rejections.setAside(replaced, rejected);
      }
      if (!rejected.isEmpty()) {
        observer.forgotten(proxy.node(), rejected.keySet());
      }
      return !rejected.isEmpty();
    }

    @Override
    public void heard(AdsStream stream, Proxy proxy) {
      for (AdsStream other : ConnectedProxies.separated(stream, proxy)) {
        List<RejectedVersions.Key> forgotten = proxy.rejections().forget(other.rejected());
        if (!forgotten.isEmpty()) {
          observer.forgotten(proxy.node(), forgotten);
        }
        other.sink().end(TWO_PROCESSES);
      }
    }

    @Override
    public List<Proxy> sharing(Proxy proxy) {
      return proxies.withNodeId(proxy.nodeId());
    }

    @Override
    public void leave(AdsStream stream, Proxy proxy) {
      ProxyNode node = proxy.node();
      disconnected.confirmed().streamEnded(stream.id());
      disconnected.streamEnded(
          proxy.nodeId(), node.id(), stream.protocol() == Protocol.DELTA, stream.heldVersions());
      proxy.remove(stream);
      boolean last = proxy.streams().isEmpty();
      if (last) {
        proxies.remove(proxy);
        views.joinProxy(proxy.connection());
        retries.left(node.id());
        proxy.rejections().clearLocalProblems();
        rejections.left(node.id());
        forgetClass(node.proxyClass());
      }
      observer.disconnected(node, stream.sink().address(), last);
    }

    private void forgetClass(String proxyClass) {
      if (views.hasTooManyClasses()
          && proxies.all().stream().noneMatch(p -> p.node().proxyClass().equals(proxyClass))) {
        views.forgetClass(proxyClass);
      }
    }

    @Override
    public @Nullable Refusal countNames(int ofStream, int more) {
      names += more;
      if (more <= 0) {
        return null;
      }
      if (ofStream > limits.names()) {
        return Refusal.tooMuch(
            "the stream subscribes to " + ofStream + " names", "names", limits.names());
      }
      return names > limits.namesInAll()
          ? Refusal.tooMuch(
              "all streams subscribe to " + names + " names", "namesInAll", limits.namesInAll())
          : null;
    }

    @Override
    public void refuse(AdsStream stream, Refusal refusal) {
      refusals.count(refusal.limit());
      stream.sink().end(refusal.status());
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
    boolean[] again = {false};
    long now = time.nanoTime();
    for (Proxy proxy : List.copyOf(proxies.all())) {
      for (AdsStream stream : List.copyOf(proxy.streams())) {
        stream.guard("checking timeouts", () -> again[0] |= stream.checkTimeouts(now));
      }
    }
    if (again[0]) {
      streamEnv.host().watchTimeouts();
    }
  }

  /** All connected proxies, ordered by node id. */
  public Collection<Proxy> proxies() {
    return proxies.all();
  }

  /** All connected proxies with the node id of this one, and itself. */
  public List<Proxy> sharing(Proxy proxy) {
    return proxies.withNodeId(proxy.nodeId());
  }

  /** Whether other processes use the node id of a proxy, or did so lately. */
  public boolean sharesNodeId(String node) {
    Proxy proxy = proxies.get(node);
    return proxy != null
        && (!proxy.nodeId().equals(node)
            || proxies.withNodeId(node).size() > 1
            || disconnected.names(node).stream().anyMatch(name -> !name.equals(node)));
  }

  /** How many node ids are used by more than one connected proxy. */
  public int sharedNodeIds() {
    return proxies.sharedNodeIds();
  }

  /** Whether what a connected proxy accepts and rejects counts. */
  public boolean mayVote(String node) {
    Proxy proxy = proxies.get(node);
    return proxy == null || proxy.mayVote();
  }

  /** A connected proxy; null if the node is not connected. */
  public @Nullable Proxy proxy(String node) {
    return proxies.get(node);
  }

  /** What a proxy is served in place of a resource. */
  public Resource shown(Proxy proxy, Resource resource) {
    Resource shown = hosts.of(resource, proxy.hostForm());
    return proxy.isScout() ? scouts.of(shown) : shown;
  }

  /** The resource that a proxy is served this one for, or one that is equal to it. */
  public Resource original(Proxy proxy, Resource served) {
    return HostView.original(proxy.isScout() ? scouts.original(served) : served);
  }

  // Rejections.

  /** Restores a rejection from an earlier process. */
  public void restoreRejection(
      String node, ResourceId id, String version, String message, Instant at) {
    rejections.of(node).add(id, version, message, at);
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
          Resource shown =
              served == null || proxy == null ? served : hosts.of(served, proxy.hostForm());
          for (String version : rejected.forgetExcept(id, shown == null ? "" : shown.version())) {
            if (proxy != null) {
              forgotten.add(
                  new Rejection.Key(
                      proxy.node().proxyClass(), node, id.type().typeUrl(), id.name(), version));
            }
          }
        });
    rejections.forgetWithoutName(id, served == null ? "" : served.version());
    return forgotten;
  }

  /** The times of retries after local problems. */
  RetrySchedule retries() {
    return retries;
  }

  // Restart.

  /** Restores the snapshots that an earlier process may have served. */
  public void restoreServed(Snapshot accepted, Snapshot desired) {
    disconnected.restore(
        accepted,
        desired,
        List.of(hosts.of(accepted, HostForm.EACH), hosts.of(desired, HostForm.EACH)));
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
    for (Proxy proxy : proxies.all()) {
      connected.put(proxy.node().id(), proxy.confirmedVersions());
    }
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

  @Override
  public TimeSource time() {
    return time;
  }

  @Override
  public AdsLimits limits() {
    return limits;
  }

  @Override
  public RefusalCounts refusals() {
    return refusals;
  }

  @Override
  public Loop loop() {
    return loop;
  }
}
