// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.controlplane.ads.fleet;

import dev.holdfast.config.ObjectKey;
import dev.holdfast.controlplane.ads.AdsServer;
import dev.holdfast.controlplane.ads.proxy.ProxyNode;
import dev.holdfast.controlplane.ads.proxy.RejectedVersions;
import dev.holdfast.controlplane.ads.stream.AdsStream;
import dev.holdfast.controlplane.ads.stream.Proxy;
import dev.holdfast.controlplane.ads.stream.TypeStream;
import dev.holdfast.controlplane.rollout.fleet.ProxyFleet;
import dev.holdfast.controlplane.rollout.fleet.Verdict;
import dev.holdfast.controlplane.snapshot.Resource;
import dev.holdfast.controlplane.snapshot.ResourceId;
import dev.holdfast.controlplane.snapshot.ResourceType;
import dev.holdfast.controlplane.snapshot.Snapshot;
import dev.holdfast.controlplane.translate.TranslatedObject;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/** The connected proxies that have a vote, as the rollout sees them. Loop only. */
public final class ConnectedFleet implements ProxyFleet {
  private final AdsServer server;
  private final Runnable onShown;

  /**
   * @param onShown called after the served snapshots changed: proxies may run the new one already,
   *     and then no ACK or NACK follows
   */
  public ConnectedFleet(AdsServer server, Runnable onShown) {
    this.server = server;
    this.onShown = onShown;
  }

  /**
   * Those that have been connected for longest first: who comes and goes, or only just came, is
   * asked last. Proxies with a local problem are the very last: they do not run everything.
   */
  @Override
  public Collection<Member> members() {
    List<Member> members = new ArrayList<>();
    for (Proxy proxy : server.proxies()) {
      if (proxy.mayVote()) {
        members.add(member(proxy));
      }
    }
    members.sort(
        Comparator.comparing((Member member) -> hasLocalProblem(member.node()))
            .thenComparing(Member::connection));
    return members;
  }

  @Override
  public Collection<Member> scouts() {
    List<Member> scouts = new ArrayList<>();
    for (Proxy proxy : server.proxies()) {
      if (proxy.isScout()) {
        scouts.add(member(proxy));
      }
    }
    scouts.sort(Comparator.comparing(Member::connection));
    return scouts;
  }

  @Override
  public Collection<Member> refusing() {
    List<Member> members = new ArrayList<>();
    for (Proxy proxy : server.proxies()) {
      if (proxy.mayVote() && !proxy.rejections().isEmpty()) {
        members.add(member(proxy));
      }
    }
    return members;
  }

  @Override
  public @Nullable Member member(String node) {
    Proxy proxy = server.proxy(node);
    return proxy == null || !proxy.mayVote() ? null : member(proxy);
  }

  private static Member member(Proxy proxy) {
    return new Member(proxy.node().id(), proxy.node().proxyClass(), proxy.connection());
  }

  @Override
  public boolean isAdopted(String node) {
    Proxy proxy = server.proxy(node);
    return proxy != null
        && proxy.streams().stream().anyMatch(AdsStream::hadUnknownVersionsOnConnect);
  }

  @Override
  public boolean wasRunningOnConnect(String node) {
    Proxy proxy = server.proxy(node);
    return proxy != null
        && !(proxy.node().isEnvoy() && isStartingUp(proxy)) // it has not named its routes yet
        && proxy.streams().stream().anyMatch(AdsStream::wasServingOnConnect);
  }

  @Override
  public boolean hasSomethingToLose(String node) {
    Proxy proxy = server.proxy(node);
    return proxy != null && proxy.isServing();
  }

  @Override
  public boolean isFormerCanary(String node) {
    Proxy proxy = server.proxy(node);
    return proxy != null && server.isFormerCanary(proxy);
  }

  private boolean hasLocalProblem(String node) {
    Proxy proxy = server.proxy(node);
    return proxy != null && !proxy.rejections().localProblems().isEmpty();
  }

  @Override
  public void show(Snapshot baseline, Set<String> canaries, Snapshot trial) {
    server.show(baseline, canaries, trial);
    onShown.run();
  }

  @Override
  public void showClass(
      String proxyClass, Snapshot baseline, Set<String> canaries, Snapshot trial) {
    server.showClass(proxyClass, baseline, canaries, trial);
    onShown.run();
  }

  @Override
  public void joinClass(String proxyClass) {
    server.joinClass(proxyClass);
    onShown.run();
  }

  @Override
  public void judging() {
    server.judging();
  }

  @Override
  public void judged() {
    server.judged();
  }

  @Override
  public void showProxy(String node, Snapshot own, @Nullable Set<ResourceId> only, boolean trial) {
    Proxy proxy = server.proxy(node);
    if (proxy != null) {
      server.showProxy(proxy, own, only, trial);
      onShown.run();
    }
  }

  @Override
  public void joinProxy(String node) {
    Proxy proxy = server.proxy(node);
    if (proxy != null) {
      server.joinProxy(proxy);
      onShown.run();
    }
  }

  @Override
  public Collection<Resource> refused(String node, Snapshot of) {
    Proxy proxy = server.proxy(node);
    Set<Resource> refused = new LinkedHashSet<>();
    if (proxy != null) {
      for (RejectedVersions.Key rejected : proxy.rejections().versions()) {
        Resource resource = of.get(rejected.id());
        if (resource != null
            && server.shown(proxy, resource).version().equals(rejected.version())
            && rejected.id().type() != ResourceType.ENDPOINTS
            && typeStreams(node, rejected.id()).stream()
                .anyMatch(each -> each.subscription().covers(resource))) {
          refused.add(resource);
        }
      }
    }
    return refused;
  }

  @Override
  public @Nullable Resource running(String node, ResourceId id) {
    for (TypeStream typeStream : typeStreams(node, id)) {
      Resource running = typeStream.runningVersion(id.name());
      if (running != null) {
        return running;
      }
    }
    return null;
  }

  @Override
  public boolean mayRun(String node, Resource resource) {
    Proxy proxy = server.proxy(node);
    if (proxy == null) {
      return false;
    }
    Resource shown = server.shown(proxy, resource);
    return typeStreams(node, resource.id()).stream().anyMatch(each -> each.mayRun(shown));
  }

  @Override
  public boolean holdsUnknown(String node, ResourceId id) {
    return typeStreams(node, id).stream().anyMatch(each -> each.holdsUnknown(id.name()));
  }

  @Override
  public boolean sharesNodeId(String node) {
    return server.sharesNodeId(node);
  }

  private List<TypeStream> typeStreams(String node, ResourceId id) {
    Proxy proxy = server.proxy(node);
    List<TypeStream> found = new ArrayList<>();
    if (proxy != null) {
      for (AdsStream stream : proxy.streams()) {
        TypeStream typeStream = stream.typeStream(id.type());
        if (typeStream != null) {
          found.add(typeStream);
        }
      }
    }
    return found;
  }

  @Override
  public Verdict verdict(String node, Predicate<Resource> excused) {
    Proxy proxy = server.proxy(node);
    if (proxy == null || server.isFormerCanary(proxy)) {
      return Verdict.GONE;
    }
    Verdict verdict = verdict(proxy, served -> excused.test(server.original(proxy, served)));
    return verdict instanceof Verdict.Refused refused
        ? new Verdict.Refused(
            refused.proxyClass(),
            refused.agent(),
            server.original(proxy, refused.resource()),
            refused.message())
        : verdict;
  }

  private static Verdict verdict(Proxy proxy, Predicate<Resource> excused) {
    boolean open = proxy.node().isEnvoy() && isStartingUp(proxy);
    boolean subscribed = false;
    for (AdsStream stream : proxy.streams()) {
      for (TypeStream typeStream : stream.typeStreams()) {
        // Endpoints are not tried: no author is to blame for them, and the last good ones stay.
        Resource refused =
            typeStream.type() == ResourceType.ENDPOINTS
                ? null
                : typeStream.rejectedResource(excused);
        if (refused != null) {
          return refused(proxy, refused);
        }
        subscribed = true;
        open |= !typeStream.isSettled();
      }
    }
    if (open || !subscribed) {
      return Verdict.OPEN;
    }
    proxy.markRanEverything();
    return Verdict.ACCEPTED;
  }

  @Override
  public Opinion opinion(String node, Resource ofOthers) {
    Proxy proxy = server.proxy(node);
    if (proxy == null) {
      return Opinion.UNCONCERNED;
    }
    Resource resource = server.shown(proxy, ofOthers);
    boolean concerned = verdict(proxy, nothing -> false) instanceof Verdict.Open;
    for (AdsStream stream : proxy.streams()) {
      TypeStream typeStream = stream.typeStream(resource.id().type());
      if (typeStream == null) {
        continue;
      }
      if (resource.equals(typeStream.running().get(resource.name()))) {
        return Opinion.RUNS;
      }
      concerned |= typeStream.subscription().covers(resource);
    }
    RejectedVersions.Reason rejected = proxy.rejections().reason(resource);
    if (rejected != null && !rejected.local()) {
      return Opinion.REFUSED;
    }
    return concerned ? Opinion.OPEN : Opinion.UNCONCERNED;
  }

  @Override
  public boolean runs(String node, TranslatedObject object) {
    Proxy proxy = server.proxy(node);
    if (proxy == null || (proxy.node().isEnvoy() && isStartingUp(proxy))) {
      return false;
    }
    boolean[] all = {true};
    object
        .footprint()
        .forEach(
            (id, part) -> {
              for (AdsStream stream : proxy.streams()) {
                all[0] &= runs(stream, id, object.key(), part);
              }
            });
    return all[0];
  }

  private static boolean runs(AdsStream stream, ResourceId id, ObjectKey key, String part) {
    TypeStream typeStream = stream.typeStream(id.type());
    Resource shown = stream.view().get(id);
    if (typeStream == null || shown == null || !typeStream.subscription().covers(shown)) {
      return true;
    }
    Resource running = typeStream.running().get(id.name());
    return running != null && running.runs(shown, key, part);
  }

  private static Verdict refused(Proxy proxy, Resource resource) {
    RejectedVersions.Reason rejected = proxy.rejections().reason(resource);
    ProxyNode node = proxy.node();
    return new Verdict.Refused(
        node.proxyClass(),
        node.version().isEmpty() ? node.agent() : node.agent() + " " + node.version(),
        resource,
        rejected == null ? "" : rejected.message());
  }

  /**
   * Whether an Envoy has not requested everything yet: it requests listeners when it has its
   * clusters, routes when it has a listener, and hosts when it has the table that they are of.
   */
  private static boolean isStartingUp(Proxy proxy) {
    boolean requestsListeners = false;
    boolean requestsRoutes = false;
    boolean needsRoutes = false;
    for (AdsStream stream : proxy.streams()) {
      TypeStream listeners = stream.typeStream(ResourceType.LISTENER);
      if (stream.isWarmingHosts()) {
        return true;
      }
      requestsListeners |= listeners != null;
      requestsRoutes |= stream.typeStream(ResourceType.ROUTES) != null;
      needsRoutes |=
          listeners != null
              && !listeners.isCold()
              && !stream.view().listed(ResourceType.ROUTES).isEmpty();
    }
    return !requestsListeners || (needsRoutes && !requestsRoutes);
  }
}
