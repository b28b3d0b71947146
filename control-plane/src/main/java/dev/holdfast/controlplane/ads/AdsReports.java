// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.controlplane.ads;

import dev.holdfast.controlplane.report.ProxyReport;
import dev.holdfast.controlplane.report.ResourceReport;
import dev.holdfast.controlplane.report.Totals;
import dev.holdfast.controlplane.rollout.proxyclass.DivergedProxy;
import dev.holdfast.controlplane.snapshot.Resource;
import dev.holdfast.controlplane.snapshot.ResourceType;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Function;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/** What the server knows, as values. Loop only. */
public final class AdsReports {
  private final AdsServer server;
  private final UnaryOperator<String> sanitise;
  private final Function<String, @Nullable DivergedProxy> diverged;

  /**
   * @param sanitise makes what a proxy said fit to be shown
   * @param diverged tells whether a node refuses what others of its class run
   */
  public AdsReports(
      AdsServer server,
      UnaryOperator<String> sanitise,
      Function<String, @Nullable DivergedProxy> diverged) {
    this.server = server;
    this.sanitise = sanitise;
    this.diverged = diverged;
  }

  /** All connected proxies by node. */
  public List<ProxyReport> proxies() {
    return server.proxies().stream().map(this::report).toList();
  }

  public int proxyCount() {
    return server.proxies().size();
  }

  public int streamCount() {
    return server.proxies().stream().mapToInt(proxy -> proxy.sessions().size()).sum();
  }

  /** How many proxies cannot run something for reasons of their machine. */
  public int unableCount() {
    return server.retries().proxies();
  }

  private ProxyReport report(Proxy proxy) {
    ProxyNode node = proxy.node();
    DivergedProxy apart = diverged.apply(node.id());
    return new ProxyReport(
        node.id(),
        node.cluster(),
        node.proxyClass(),
        node.version().isEmpty() ? node.agent() : node.agent() + " " + node.version(),
        apart == null ? null : new ProxyReport.DivergedReport(apart.since(), apart.message()),
        proxy.sessions().stream().map(this::report).toList());
  }

  private ProxyReport.StreamReport report(Session session) {
    List<ProxyReport.TypeReport> types = new ArrayList<>();
    session.channels().forEach(channel -> types.add(report(session, channel)));
    return new ProxyReport.StreamReport(
        session.id(),
        session.wire().address(),
        session.protocol().word(),
        session.isAggregated(),
        session.since(),
        types);
  }

  private ProxyReport.TypeReport report(Session session, Channel channel) {
    Rejections.Rejected error = channel.lastError();
    return new ProxyReport.TypeReport(
        channel.type(),
        channel.subscription().isWildcard(),
        channel.subscription().names().size(),
        channel.sentVersion(),
        channel.acceptedVersion(),
        channel.running().size(),
        since(channel.inFlight()),
        error == null
            ? null
            : new ProxyReport.ErrorReport(
                sanitise.apply(error.message()),
                error.at(),
                channel.lastErrorNames(),
                server.retries().due(session.node().id(), channel)));
  }

  private @Nullable Instant since(@Nullable Push push) {
    return push == null
        ? null
        : server.time().now().minusNanos(server.time().nanoTime() - push.sentAt);
  }

  /** Who has a resource. */
  public ResourceReport report(Resource resource) {
    TreeSet<String> accepted = new TreeSet<>();
    TreeSet<String> pending = new TreeSet<>();
    TreeSet<String> rejected = new TreeSet<>();
    for (Proxy proxy : server.proxies()) {
      String node = proxy.node().id();
      for (Session session : proxy.sessions()) {
        Channel channel = session.channel(resource.id().type());
        if (channel == null || !channel.subscription().covers(resource)) {
          continue;
        }
        if (resource.equals(channel.running().get(resource.name()))) {
          accepted.add(node);
        } else if (proxy.rejections.contains(resource)) {
          rejected.add(node);
        } else if (resource.equals(session.view().get(resource.id()))) {
          pending.add(node);
        }
      }
    }
    return new ResourceReport(
        resource, List.copyOf(accepted), List.copyOf(pending), List.copyOf(rejected));
  }

  /** Numbers of one type. */
  public Totals.TypeTotals totals(ResourceType type) {
    TypeStats stats = server.stats(type);
    long oldest = 0;
    for (Proxy proxy : server.proxies()) {
      for (Session session : proxy.sessions()) {
        Channel channel = session.channel(type);
        Push push = channel == null ? null : channel.inFlight();
        oldest = push == null ? oldest : Math.max(oldest, server.time().nanoTime() - push.sentAt);
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
