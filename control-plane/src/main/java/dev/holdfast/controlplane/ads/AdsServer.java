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
  private final Encoding encoding;
  private final Retries retries;
  private final EdsNames edsNames = new EdsNames();
  private final Departed departed;
  private final SortedMap<String, Proxy> proxies = new TreeMap<>();
  private final Map<String, Rejections> rejections =
      new LinkedHashMap<>() {
        @Override
        protected boolean removeEldestEntry(Map.Entry<String, Rejections> eldest) {
          return size() > MOST_REMEMBERED && !proxies.containsKey(eldest.getKey());
        }
      };
  private final Audiences audiences = new Audiences();
  private final LastGood lastGood = new LastGood(audiences);
  private final Map<ResourceType, TypeStats> stats = new EnumMap<>(ResourceType.class);
  private final Step step = new Step();
  private final Due due;
  private TimeSource.@Nullable Timer sweep;
  private long lastSession;
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
    this.encoding = new Encoding(identifier);
    this.due = new Due(loop);
    this.departed = new Departed(time);
    this.retries = new Retries(time, loop, random, this::retry);
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
    View view = new View(baseline, nodes, trial);
    List<String> others =
        lastGood.known().stream().filter(name -> !audiences.isSeparate(name)).toList();
    lastGood.shown(audiences.all(), view, others);
    audiences.show(view);
    tell();
  }

  /** Shows something to the proxies of one class, whatever all others see. */
  public void showClass(String proxyClass, Snapshot baseline, Set<String> nodes, Snapshot trial) {
    View view = new View(baseline, nodes, trial);
    lastGood.shown(audiences.of(proxyClass), view, List.of(proxyClass));
    audiences.show(proxyClass, view);
    tell();
  }

  /** Shows the proxies of a class what all others see. */
  public void joinClass(String proxyClass) {
    View before = audiences.of(proxyClass);
    if (audiences.join(proxyClass)) {
      lastGood.shown(before, audiences.all(), List.of(proxyClass));
      tell();
    }
  }

  private void tell() {
    loop.check();
    encoding.forgetEntries();
    Views views = new Views();
    for (Proxy proxy : proxies.values()) {
      Snapshot view = viewOf(proxy);
      boolean changed = false;
      for (Session session : proxy.sessions()) {
        changed |= session.show(view, views);
      }
      if (changed) {
        pumpLater(proxy);
      }
    }
  }

  /** What is served to those who neither try anything out nor go their own way. */
  public Snapshot snapshot() {
    return audiences.all().baseline();
  }

  Snapshot viewOf(Proxy proxy) {
    return audiences.of(proxy.node().proxyClass()).of(proxy.node().id());
  }

  /** Whether a proxy is shown what not everybody is. */
  boolean isOnTrial(Proxy proxy) {
    return audiences.of(proxy.node().proxyClass()).canaries().contains(proxy.node().id());
  }

  // Who is there.

  Session open(Wire wire, Protocol protocol, @Nullable ResourceType only) {
    loop.check();
    return new Session(++lastSession, this, wire, protocol, only, snapshot());
  }

  Proxy join(Session session, ProxyNode node) {
    Proxy proxy =
        proxies.computeIfAbsent(
            node.id(),
            id ->
                new Proxy(
                    ++lastConnection, node, rejections.computeIfAbsent(id, k -> new Rejections())));
    proxy.add(session, node);
    departed.certain().joined(session, node);
    observer.connected(node, session.wire().address());
    return proxy;
  }

  void leave(Session session, Proxy proxy) {
    departed.left(session);
    proxy.remove(session);
    boolean last = proxy.sessions().isEmpty();
    if (last) {
      proxies.remove(proxy.node().id());
      retries.left(proxy.node().id());
      proxy.rejections.passAll();
      forgetClass(proxy.node().proxyClass());
    }
    observer.left(proxy.node(), session.wire().address(), last);
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
    rejections.computeIfAbsent(node, unused -> new Rejections()).add(id, version, message, at);
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
    for (Session session : proxy.sessions()) {
      Channel channel = session.channel(id.type());
      if (channel != null) {
        channel.retry(id.name());
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
  public void restoreShown(Snapshot accepted, Snapshot wanted) {
    departed.mayHaveBeenShown(accepted, wanted);
  }

  /** Takes up what proxies held for certain when it ended. */
  public void restoreHeld(SortedMap<Holder, String> held) {
    departed.certain().restore(held);
  }

  /** The proxies of that life are back, or will not come back any more. */
  public void gathered() {
    departed.forgetEarlier();
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
      due.add(proxy);
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
      for (Session session : proxy.sessions()) {
        waiting |= session.markSilent(now);
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
    return departed.certain().of(proxies.values());
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

  Retries retries() {
    return retries;
  }

  Encoding encoding() {
    return encoding;
  }

  Step step() {
    return step;
  }

  Departed departed() {
    return departed;
  }

  EdsNames edsNames() {
    return edsNames;
  }
}
