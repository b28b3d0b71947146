// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.controlplane.ads;

import static java.util.Objects.requireNonNull;

import dev.holdfast.base.Loop;
import dev.holdfast.base.TimeSource;
import dev.holdfast.config.Holder;
import dev.holdfast.config.Rejection;
import dev.holdfast.controlplane.snapshot.Resource;
import dev.holdfast.controlplane.snapshot.ResourceId;
import dev.holdfast.controlplane.snapshot.ResourceTable;
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
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/**
 * All streams, and what they are to be shown. Loop only.
 *
 * <p>A class of proxies may go its own way, and then sees something else than all others.
 */
public final class AdsServer {
  private static final Duration SWEEP = Duration.ofSeconds(1);

  /** Envoy holds its answer on clusters back until they have endpoints, or have waited 15 s. */
  private static final Duration PATIENCE_WITH_CLUSTERS = Duration.ofSeconds(20);

  private static final Duration PATIENCE = Duration.ofSeconds(10);

  /** How many proxies that went away are remembered by what they refused. */
  private static final int MOST_REMEMBERED = 10_000;

  /** From how many classes on one is forgotten when its last proxy leaves. */
  private static final int MOST_CLASSES = 64;

  private final Loop loop;
  private final TimeSource time;
  private final AdsObserver observer;
  private final ResponseEncoder encoder;
  private final RetrySchedule retries;
  private final EdsServiceNames edsNames = new EdsServiceNames();
  private final DisconnectedProxies disconnected;
  private final SortedMap<String, Proxy> proxies = new TreeMap<>();
  private final Map<String, RejectedVersions> rejections =
      new LinkedHashMap<>() {
        @Override
        protected boolean removeEldestEntry(Map.Entry<String, RejectedVersions> eldest) {
          return size() > MOST_REMEMBERED && !proxies.containsKey(eldest.getKey());
        }
      };
  private final ServedViews servedViews = new ServedViews();
  private final LastGoodResources lastGood = new LastGoodResources(servedViews);
  private final Map<ResourceType, TypeStats> stats = new EnumMap<>(ResourceType.class);
  private final NextTableCache nextTables = new NextTableCache();
  private final SendQueue sendQueue;
  private TimeSource.@Nullable Timer sweep;
  private long lastStream;
  private long lastConnection;
  private long unknownTypes;
  private boolean closed;

  /**
   * @param random for the times of retries
   * @param identifier tells proxies whom they speak with
   */
  public AdsServer(
      Loop loop, TimeSource time, RandomGenerator random, String identifier, AdsObserver observer) {
    this.loop = loop;
    this.time = time;
    this.observer = observer;
    this.encoder = new ResponseEncoder(identifier);
    this.sendQueue = new SendQueue(loop);
    this.disconnected = new DisconnectedProxies(time);
    this.retries = new RetrySchedule(time, loop, random, this::retry);
    ResourceType.ALL.forEach(type -> stats.put(type, new TypeStats()));
  }

  // What is served.

  /** Shows everybody something else. */
  public void publish(Snapshot next) {
    show(next, Set.of(), next);
  }

  /**
   * Shows one thing to some proxies, and another to all others, now and when they come; but not to
   * those of classes that are shown something by themselves.
   */
  public void show(Snapshot baseline, Set<String> nodes, Snapshot trial) {
    ServedView view = new ServedView(baseline, nodes, trial);
    List<String> others =
        lastGood.known().stream().filter(name -> !servedViews.isSeparate(name)).toList();
    lastGood.shown(servedViews.all(), view, others);
    servedViews.show(view);
    tell();
  }

  /** Shows something to the proxies of one class, whatever all others see. */
  public void showClass(String proxyClass, Snapshot baseline, Set<String> nodes, Snapshot trial) {
    ServedView view = new ServedView(baseline, nodes, trial);
    lastGood.shown(servedViews.of(proxyClass), view, List.of(proxyClass));
    servedViews.show(proxyClass, view);
    tell();
  }

  /** Shows the proxies of a class what all others see. */
  public void joinClass(String proxyClass) {
    ServedView before = servedViews.of(proxyClass);
    if (servedViews.join(proxyClass)) {
      lastGood.shown(before, servedViews.all(), List.of(proxyClass));
      tell();
    }
  }

  private void tell() {
    loop.check();
    encoder.forgetEntries();
    SnapshotDiffs views = new SnapshotDiffs();
    for (Proxy proxy : proxies.values()) {
      Snapshot view = viewOf(proxy);
      boolean changed = false;
      for (AdsStream stream : proxy.streams()) {
        changed |= stream.show(view, views);
      }
      if (changed) {
        pumpLater(proxy);
      }
    }
  }

  /** What is served to those who neither try anything out nor go their own way. */
  public Snapshot snapshot() {
    return servedViews.all().baseline();
  }

  Snapshot viewOf(Proxy proxy) {
    return servedViews.of(proxy.node().proxyClass()).of(proxy.node().id());
  }

  /** Whether a proxy is shown what not everybody is. */
  boolean isOnTrial(Proxy proxy) {
    return servedViews.of(proxy.node().proxyClass()).canaries().contains(proxy.node().id());
  }

  // Who is there.

  AdsStream open(ResponseSink sink, Protocol protocol, @Nullable ResourceType only) {
    loop.check();
    return new AdsStream(++lastStream, this, sink, protocol, only, snapshot());
  }

  Proxy join(AdsStream stream, ProxyNode node) {
    Proxy proxy =
        proxies.computeIfAbsent(
            node.id(),
            id ->
                new Proxy(
                    ++lastConnection,
                    node,
                    rejections.computeIfAbsent(id, k -> new RejectedVersions())));
    proxy.add(stream, node);
    disconnected.certain().joined(stream, node);
    observer.connected(node, stream.sink().address());
    return proxy;
  }

  void leave(AdsStream stream, Proxy proxy) {
    disconnected.left(stream);
    proxy.remove(stream);
    boolean last = proxy.streams().isEmpty();
    if (last) {
      proxies.remove(proxy.node().id());
      retries.left(proxy.node().id());
      proxy.rejections.passAll();
      forgetClass(proxy.node().proxyClass());
    }
    observer.left(proxy.node(), stream.sink().address(), last);
  }

  /** Proxies name their own class: there must not be more classes than anybody could mean. */
  private void forgetClass(String proxyClass) {
    if (lastGood.classes() > MOST_CLASSES
        && proxies.values().stream().noneMatch(p -> p.node().proxyClass().equals(proxyClass))) {
      lastGood.forget(proxyClass);
    }
  }

  /** All connected proxies by node. */
  Collection<Proxy> proxies() {
    return Collections.unmodifiableCollection(proxies.values());
  }

  /** A connected proxy; null if it is not there. */
  @Nullable Proxy proxy(String node) {
    return proxies.get(node);
  }

  // What was said of it.

  /** Takes up what a proxy refused in an earlier life of this server. */
  public void restoreRejection(
      String node, ResourceId id, String version, String message, Instant at) {
    rejections
        .computeIfAbsent(node, unused -> new RejectedVersions())
        .add(id, version, message, at);
  }

  /** A proxy cannot run something, for reasons of its machine. */
  void unable(Proxy proxy, Resource resource, String message, Instant now) {
    ProxyNode node = proxy.node();
    proxy.rejections.addForNow(resource.id(), resource.version(), message, now);
    stats(resource.id().type()).unable(node.proxyClass());
    observer.unable(node, resource, message, retries.failed(node.id(), resource.id()));
  }

  /** A proxy runs something. */
  void succeeded(Proxy proxy, Resource resource) {
    retries.succeeded(proxy.node().id(), resource);
    proxy.rejections.pass(resource.id());
  }

  private void retry(String node, ResourceId id) {
    Proxy proxy = proxies.get(node);
    if (proxy == null || closed) {
      return;
    }
    proxy.rejections.pass(id);
    for (AdsStream stream : proxy.streams()) {
      TypeStream typeStream = stream.typeStream(id.type());
      if (typeStream != null) {
        typeStream.retry(id.name());
      }
    }
    pumpLater(proxy);
  }

  /**
   * Forgets that proxies refused other versions of a resource than the one that is served, so that
   * they can be tried again. The result is what was forgotten of proxies that are connected.
   */
  public List<Rejection.Key> forgive(ResourceId id) {
    loop.check();
    List<Rejection.Key> forgotten = new ArrayList<>();
    Resource served = snapshot().get(id);
    rejections.forEach(
        (node, refused) -> {
          Proxy proxy = proxies.get(node);
          for (String version : refused.forgive(id, served == null ? "" : served.version())) {
            if (proxy != null) {
              forgotten.add(
                  new Rejection.Key(
                      proxy.node().proxyClass(), node, id.type().typeUrl(), id.name(), version));
            }
          }
        });
    return forgotten;
  }

  /** Takes up what proxies may have been shown in an earlier life of this server. */
  public void restoreShown(Snapshot accepted, Snapshot target) {
    disconnected.mayHaveBeenShown(accepted, target);
  }

  /** Takes up what proxies held for certain when it ended. */
  public void restoreHeld(SortedMap<Holder, String> held) {
    disconnected.certain().restore(held);
  }

  /** The proxies of that life are back, or will not come back any more. */
  public void gathered() {
    disconnected.forgetEarlier();
  }

  void remember(ProxyNode node, Collection<Resource> accepted) {
    lastGood.add(node.proxyClass(), accepted);
  }

  ResourceTable lastGood(String proxyClass, ResourceType type) {
    return lastGood.of(proxyClass, type);
  }

  // Timing.

  /** Lets a proxy hear what it may, when everything of this turn is known. */
  void pumpLater(Proxy proxy) {
    if (proxy.mayHaveNews()) {
      sendQueue.add(proxy);
    }
  }

  static Duration patience(ResourceType type) {
    return type == ResourceType.CLUSTER ? PATIENCE_WITH_CLUSTERS : PATIENCE;
  }

  /** Looks from time to time whether somebody does not answer. */
  void awaitAnswers() {
    if (sweep == null && !closed) {
      sweep = time.schedule(SWEEP, () -> loop.execute(this::sweep));
    }
  }

  private void sweep() {
    sweep = null;
    boolean waiting = false;
    long now = time.nanoTime();
    for (Proxy proxy : List.copyOf(proxies.values())) {
      for (AdsStream stream : proxy.streams()) {
        waiting |= stream.markSilent(now);
      }
    }
    if (waiting) {
      awaitAnswers();
    }
  }

  /**
   * Says nothing more. Streams end with the gRPC server.
   *
   * @return what proxies hold for certain from now on
   */
  public SortedMap<Holder, String> close() {
    loop.check();
    closed = true;
    if (sweep != null) {
      sweep.cancel();
    }
    retries.close();
    return disconnected.certain().of(proxies.values());
  }

  boolean isClosed() {
    return closed;
  }

  // What others need.

  public TypeStats stats(ResourceType type) {
    return requireNonNull(stats.get(type));
  }

  /** Requests for types that are not served. */
  public long unknownTypes() {
    return unknownTypes;
  }

  void unknownType() {
    unknownTypes++;
  }

  AdsObserver observer() {
    return observer;
  }

  TimeSource time() {
    return time;
  }

  Loop loop() {
    return loop;
  }

  RetrySchedule retries() {
    return retries;
  }

  ResponseEncoder encoder() {
    return encoder;
  }

  NextTableCache nextTables() {
    return nextTables;
  }

  DisconnectedProxies disconnected() {
    return disconnected;
  }

  EdsServiceNames edsNames() {
    return edsNames;
  }
}
