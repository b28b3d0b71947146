// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.controlplane.ads;

import dev.holdfast.controlplane.ads.proxy.ProxyNode;
import dev.holdfast.controlplane.ads.proxy.RejectedVersions;
import dev.holdfast.controlplane.ads.proxy.RejectedVersions.RefusedRemoval;
import dev.holdfast.controlplane.ads.proxy.TypeStats;
import dev.holdfast.controlplane.ads.stream.AdsStream;
import dev.holdfast.controlplane.ads.stream.InFlightResponse;
import dev.holdfast.controlplane.ads.stream.LastNack;
import dev.holdfast.controlplane.ads.stream.Proxy;
import dev.holdfast.controlplane.ads.stream.TypeStream;
import dev.holdfast.controlplane.report.ProxyReport;
import dev.holdfast.controlplane.report.ResourceReport;
import dev.holdfast.controlplane.report.Totals;
import dev.holdfast.controlplane.rollout.proxyclass.DivergedProxy;
import dev.holdfast.controlplane.snapshot.Resource;
import dev.holdfast.controlplane.snapshot.ResourceId;
import dev.holdfast.controlplane.snapshot.ResourceType;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/** The state of the server as values, for the admin API and metrics. Loop only. */
public final class AdsReports {
  /** How many refused removals of one type a report lists. */
  private static final int MOST_REMOVALS = 100;

  /** How many rejected resources of one type a report lists. */
  private static final int MOST_REFUSED = 100;

  private final AdsServer server;
  private final UnaryOperator<String> sanitise;
  private final Function<String, @Nullable DivergedProxy> diverged;
  private final Predicate<String> isNew;
  private final Function<ProxyNode, String> scout;

  /**
   * @param sanitise removes secrets and foreign configuration from a proxy's error text
   * @param scout why a scout is not asked; empty if it is
   * @param diverged whether a node rejects a version that other proxies of its class run
   */
  public AdsReports(
      AdsServer server,
      UnaryOperator<String> sanitise,
      Function<String, @Nullable DivergedProxy> diverged,
      Predicate<String> isNew,
      Function<ProxyNode, String> scout) {
    this.scout = scout;
    this.server = server;
    this.sanitise = sanitise;
    this.diverged = diverged;
    this.isNew = isNew;
  }

  /** All connected proxies, ordered by node id. */
  public List<ProxyReport> proxies() {
    return server.proxies().stream().map(this::report).toList();
  }

  /** The clusters that the nodes of all connected proxies name that serve requests. */
  public List<String> clusters() {
    return server.proxies().stream()
        .filter(proxy -> !proxy.isScout())
        .map(proxy -> proxy.node().cluster())
        .toList();
  }

  public int proxyCount() {
    return (int) server.proxies().stream().filter(proxy -> !proxy.isScout()).count();
  }

  public int streamCount() {
    return server.proxies().stream()
        .filter(proxy -> !proxy.isScout())
        .mapToInt(proxy -> proxy.streams().size())
        .sum();
  }

  /** How many proxies cannot run a resource because of a local problem. */
  public int unableCount() {
    int scouts =
        (int)
            server.proxies().stream()
                .filter(proxy -> proxy.isScout() && !proxy.rejections().localProblems().isEmpty())
                .count();
    return Math.max(0, server.retries().proxies() - scouts);
  }

  private ProxyReport report(Proxy proxy) {
    ProxyNode node = proxy.node();
    DivergedProxy divergence = diverged.apply(node.id());
    return new ProxyReport(
        node.id(),
        node.cluster(),
        node.proxyClass(),
        node.version().isEmpty() ? node.agent() : node.agent() + " " + node.version(),
        divergence == null
            ? null
            : new ProxyReport.DivergedReport(divergence.since(), divergence.message()),
        isNew.test(node.proxyClass()) && !proxy.isScout(),
        server.sharing(proxy).size() > 1 ? proxy.nodeId() : null,
        proxy.isScout() ? new ProxyReport.ScoutReport(scout.apply(node)) : null,
        proxy.streams().stream().map(this::report).toList());
  }

  private ProxyReport.StreamReport report(AdsStream stream) {
    List<ProxyReport.TypeReport> types = new ArrayList<>();
    stream.typeStreams().forEach(typeStream -> types.add(report(stream, typeStream)));
    List<String> names = stream.sink().client().names();
    return new ProxyReport.StreamReport(
        stream.id(),
        stream.sink().address(),
        names.isEmpty() ? "" : names.get(0),
        stream.protocol().word(),
        stream.isAggregated(),
        stream.since(),
        types);
  }

  private ProxyReport.TypeReport report(AdsStream stream, TypeStream typeStream) {
    LastNack nack = typeStream.lastNack();
    return new ProxyReport.TypeReport(
        typeStream.type(),
        typeStream.subscription().isWildcard(),
        typeStream.subscription().names().size(),
        typeStream.sentVersion(),
        typeStream.acceptedVersion(),
        typeStream.running().size(),
        since(typeStream.unanswered()),
        nack == null
            ? null
            : new ProxyReport.ErrorReport(
                sanitise.apply(nack.message()),
                nack.at(),
                nack.names(),
                server.retries().due(stream.node().id(), typeStream.type())),
        stream.rejections().removals(typeStream.type()).entrySet().stream()
            .filter(removal -> typeStream.running().contains(removal.getKey()))
            .limit(MOST_REMOVALS)
            .map(removal -> report(removal.getKey(), removal.getValue()))
            .toList(),
        refuses(stream, typeStream));
  }

  /**
   * What a proxy is to run now and rejected. It rejected little, so that is where this looks; and
   * where it rejected several resources together and nobody knows yet which is to blame, in all of
   * those.
   */
  private static List<String> refuses(AdsStream stream, TypeStream typeStream) {
    TreeSet<String> names = new TreeSet<>();
    for (RejectedVersions.Key rejected : stream.rejections().versions()) {
      Resource wanted = wanted(stream, typeStream, rejected.id());
      if (wanted != null && wanted.version().equals(rejected.version())) {
        names.add(rejected.id().name());
      }
    }
    LastNack nack = typeStream.lastNack();
    if (nack != null && typeStream.unanswered() == null) {
      for (String name : nack.names()) {
        if (wanted(stream, typeStream, new ResourceId(typeStream.type(), name)) != null) {
          names.add(name);
        }
      }
    }
    return names.stream().limit(MOST_REFUSED).toList();
  }

  /** A resource that a proxy should run and does not; null if there is none of that name. */
  private static @Nullable Resource wanted(AdsStream stream, TypeStream typeStream, ResourceId id) {
    if (id.type() != typeStream.type()) {
      return null;
    }
    Resource wanted = stream.view().get(id);
    return wanted == null
            || !typeStream.subscription().covers(wanted)
            || wanted.equals(typeStream.running().get(id.name()))
        ? null
        : wanted;
  }

  private ProxyReport.RemovalReport report(String name, RefusedRemoval removal) {
    return new ProxyReport.RemovalReport(name, sanitise.apply(removal.message()), removal.at());
  }

  private @Nullable Instant since(@Nullable InFlightResponse response) {
    return response == null
        ? null
        : server.time().now().minusNanos(server.time().nanoTime() - response.sentAt());
  }

  /** The proxies that accepted, rejected or have yet to answer a resource. */
  public ResourceReport report(Resource resource) {
    TreeSet<String> accepted = new TreeSet<>();
    TreeSet<String> pending = new TreeSet<>();
    TreeSet<String> rejected = new TreeSet<>();
    for (Proxy proxy : server.proxies()) {
      if (proxy.isScout()) {
        continue; // it is served something else, and nobody by it
      }
      String node = proxy.node().id();
      Resource shown = server.shown(proxy, resource);
      for (AdsStream stream : proxy.streams()) {
        TypeStream typeStream = stream.typeStream(resource.id().type());
        if (typeStream == null || !typeStream.subscription().covers(resource)) {
          continue;
        }
        if (shown.equals(typeStream.running().get(resource.name()))) {
          accepted.add(node);
        } else if (proxy.rejections().contains(shown)) {
          rejected.add(node);
        } else if (shown.equals(stream.view().get(resource.id()))) {
          pending.add(node);
        }
      }
    }
    return new ResourceReport(
        resource, List.copyOf(accepted), List.copyOf(pending), List.copyOf(rejected));
  }

  /** Counts of one type. */
  public Totals.TypeTotals totals(ResourceType type) {
    TypeStats stats = server.stats(type);
    long oldest = 0;
    for (Proxy proxy : server.proxies()) {
      for (AdsStream stream : proxy.streams()) {
        TypeStream typeStream = stream.typeStream(type);
        InFlightResponse response = typeStream == null ? null : typeStream.unanswered();
        oldest =
            response == null
                ? oldest
                : Math.max(oldest, server.time().nanoTime() - response.sentAt());
      }
    }
    return new Totals.TypeTotals(
        server.snapshot().listed(type).size() + server.snapshot().byName(type).size(),
        stats.responses(),
        stats.acks(),
        new TreeMap<>(stats.nacksByClass()),
        new TreeMap<>(stats.unableByClass()),
        stats.bytes(),
        stats.answers(),
        Duration.ofNanos(oldest));
  }
}
