// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.controlplane.ads;

import dev.holdfast.config.ObjectKey;
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
import java.util.List;
import java.util.Set;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/** The connected proxies, for trials. Loop only. */
public final class ConnectedFleet implements ProxyFleet {
  private final AdsServer server;
  private final Runnable news;

  /**
   * @param news runs after proxies are shown something else: it may be what they run already, and
   *     then none of them will say anything
   */
  public ConnectedFleet(AdsServer server, Runnable news) {
    this.server = server;
    this.news = news;
  }

  /** By node; those last that are no judges of everything. */
  @Override
  public Collection<Member> members() {
    List<Member> members = new ArrayList<>();
    server.proxies().forEach(proxy -> members.add(member(proxy)));
    members.sort(Comparator.comparing(member -> isUnable(member.node())));
    return members;
  }

  @Override
  public Collection<Member> refusing() {
    List<Member> members = new ArrayList<>();
    for (Proxy proxy : server.proxies()) {
      if (!proxy.rejections.isEmpty()) {
        members.add(member(proxy));
      }
    }
    return members;
  }

  @Override
  public @Nullable Member member(String node) {
    Proxy proxy = server.proxy(node);
    return proxy == null ? null : member(proxy);
  }

  private static Member member(Proxy proxy) {
    return new Member(proxy.node().id(), proxy.node().proxyClass(), proxy.connection);
  }

  @Override
  public boolean isAdopted(String node) {
    Proxy proxy = server.proxy(node);
    return proxy != null && proxy.streams().stream().anyMatch(AdsStream::cameWithMore);
  }

  @Override
  public boolean hasSomethingToLose(String node) {
    Proxy proxy = server.proxy(node);
    return proxy != null
        && (proxy.ranEverything || proxy.streams().stream().anyMatch(AdsStream::cameServing));
  }

  /** One that cannot run all that it is shown sees less than others. */
  private boolean isUnable(String node) {
    Proxy proxy = server.proxy(node);
    return proxy != null && !proxy.rejections.passing().isEmpty();
  }

  @Override
  public void show(Snapshot baseline, Set<String> canaries, Snapshot trial) {
    server.show(baseline, canaries, trial);
    news.run();
  }

  @Override
  public void showClass(
      String proxyClass, Snapshot baseline, Set<String> canaries, Snapshot trial) {
    server.showClass(proxyClass, baseline, canaries, trial);
    news.run();
  }

  @Override
  public void joinClass(String proxyClass) {
    server.joinClass(proxyClass);
    news.run();
  }

  @Override
  public Verdict verdict(String node, Predicate<Resource> excused) {
    Proxy proxy = server.proxy(node);
    return proxy == null ? Verdict.GONE : verdict(proxy, excused);
  }

  private static Verdict verdict(Proxy proxy, Predicate<Resource> excused) {
    boolean open = proxy.node().isEnvoy() && isYetToAsk(proxy);
    boolean asks = false;
    for (AdsStream stream : proxy.streams()) {
      for (TypeStream typeStream : stream.typeStreams()) {
        // Endpoints are not tried: they are nobody's fault, and the last good ones stay.
        Resource refused =
            typeStream.type() == ResourceType.ENDPOINTS ? null : typeStream.refusal(excused);
        if (refused != null) {
          return refused(proxy, refused);
        }
        asks = true;
        open |= !typeStream.isSettled();
      }
    }
    if (open || !asks) {
      return Verdict.OPEN;
    }
    proxy.ranEverything = true;
    return Verdict.ACCEPTED;
  }

  @Override
  public Opinion opinion(String node, Resource resource) {
    Proxy proxy = server.proxy(node);
    if (proxy == null) {
      return Opinion.UNCONCERNED;
    }
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
    RejectedVersions.Rejected rejected = proxy.rejections.of(resource);
    if (rejected != null && !rejected.passing()) {
      return Opinion.REFUSED;
    }
    return concerned ? Opinion.OPEN : Opinion.UNCONCERNED;
  }

  @Override
  public boolean runs(String node, TranslatedObject object) {
    Proxy proxy = server.proxy(node);
    if (proxy == null || (proxy.node().isEnvoy() && isYetToAsk(proxy))) {
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
    RejectedVersions.@Nullable Rejected rejected = proxy.rejections.of(resource);
    ProxyNode node = proxy.node();
    return new Verdict.Refused(
        node.proxyClass(),
        node.version().isEmpty() ? node.agent() : node.agent() + " " + node.version(),
        resource,
        rejected == null ? "" : rejected.message());
  }

  /**
   * Envoy asks for listeners when it has its clusters, and for routes when it has a listener:
   * before that it has not seen everything.
   */
  private static boolean isYetToAsk(Proxy proxy) {
    boolean asksForListeners = false;
    boolean asksForRoutes = false;
    boolean needsRoutes = false;
    for (AdsStream stream : proxy.streams()) {
      TypeStream listeners = stream.typeStream(ResourceType.LISTENER);
      asksForListeners |= listeners != null;
      asksForRoutes |= stream.typeStream(ResourceType.ROUTES) != null;
      needsRoutes |=
          listeners != null
              && !listeners.isCold()
              && !stream.view().listed(ResourceType.ROUTES).isEmpty();
    }
    return !asksForListeners || (needsRoutes && !asksForRoutes);
  }
}
