// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.controlplane.ads;

import com.google.protobuf.ByteString;
import dev.holdfast.controlplane.snapshot.Resource;
import dev.holdfast.controlplane.snapshot.ResourceTable;
import dev.holdfast.controlplane.snapshot.ResourceType;
import dev.holdfast.controlplane.snapshot.Snapshot;
import io.envoyproxy.envoy.config.core.v3.Node;
import io.envoyproxy.envoy.service.discovery.v3.DeltaDiscoveryRequest;
import io.envoyproxy.envoy.service.discovery.v3.DiscoveryRequest;
import java.time.Instant;
import java.util.Collections;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** One stream. Loop only. */
final class Session {
  private final long id;
  private final AdsServer server;
  private final Wire wire;
  private final Protocol protocol;

  /** The only type of the stream; null if it carries all. */
  private final @Nullable ResourceType only;

  private final Instant since;
  private final Nonces nonces = new Nonces();
  private final Map<ResourceType, Channel> channels = new EnumMap<>(ResourceType.class);

  private final EndpointsDue endpointsDue = new EndpointsDue(this);
  private final Arrival arrival;
  private final Answers answers;
  private @Nullable Proxy proxy;
  private Snapshot view;
  private boolean closed;

  Session(
      long id,
      AdsServer server,
      Wire wire,
      Protocol protocol,
      @Nullable ResourceType only,
      Snapshot view) {
    this.id = id;
    this.server = server;
    this.wire = wire;
    this.protocol = protocol;
    this.only = only;
    this.view = view;
    this.since = server.time().now();
    this.arrival = new Arrival(this, server.time().nanoTime());
    this.answers = new Answers(this);
  }

  // Requests.

  void onSotw(Asked<DiscoveryRequest> asked) {
    DiscoveryRequest request = asked.message();
    Channel channel = channelFor(asked.type(), request.getNode());
    if (channel == null) {
      return;
    }
    boolean first = !channel.hasHeard();
    boolean answer =
        answers.take(
            channel,
            request.getResponseNonce(),
            request.hasErrorDetail() && !Answers.acceptedAllTheSame(channel, request)
                ? request.getErrorDetail().getMessage()
                : null);
    Subscription.Change change =
        channel.subscription().replace(request.getResourceNamesList(), channel.type().isWildcard());
    channel.subscribed(change);
    if (first && !request.getVersionInfo().isEmpty()) {
      returned();
      channel.resume(request.getVersionInfo());
      endpointsDue.resumed(channel);
    } else if (!first && !answer && change.isNothing()) {
      endpointsDue.askedAgain(channel);
    }
    if (!change.isNothing()) {
      server.observer().subscribed(node(), channel.type());
    }
    server.pumpLater(proxy());
  }

  void onDelta(Asked<DeltaDiscoveryRequest> asked) {
    DeltaDiscoveryRequest request = asked.message();
    Channel channel = channelFor(asked.type(), request.getNode());
    if (channel == null) {
      return;
    }
    boolean first = !channel.hasHeard();
    answers.take(
        channel,
        request.getResponseNonce(),
        request.hasErrorDetail() ? request.getErrorDetail().getMessage() : null);
    boolean all =
        first
            && channel.type().isWildcard()
            && request.getResourceNamesSubscribeCount() == 0
            && request.getResourceNamesUnsubscribeCount() == 0;
    Subscription.Change change =
        channel
            .subscription()
            .change(
                request.getResourceNamesSubscribeList(),
                request.getResourceNamesUnsubscribeList(),
                all);
    channel.subscribed(change);
    if (first && request.getInitialResourceVersionsCount() > 0) {
      returned();
      channel.resume(request.getInitialResourceVersionsMap());
      endpointsDue.resumed(channel);
    }
    if (!change.isNothing()) {
      server.observer().subscribed(node(), channel.type());
    }
    server.pumpLater(proxy());
  }

  private @Nullable Channel channelFor(@Nullable ResourceType type, Node node) {
    if (closed) {
      return null;
    }
    if (proxy == null) {
      proxy = server.join(this, ProxyNode.of(node, unnamed()));
      view = server.viewOf(proxy);
    }
    if (type == null) {
      server.unknownType();
      return null;
    }
    return channels.computeIfAbsent(type, unused -> new Channel(type, this));
  }

  private String unnamed() {
    return "unnamed-" + id;
  }

  /** Whether the proxy goes by the same name on its next stream. */
  boolean isNamed() {
    return !node().id().equals(unnamed());
  }

  // Responses.

  /** Something else may be wanted; false if nothing is. */
  boolean show(Snapshot next, Views views) {
    if (next == view) {
      return false;
    }
    List<Views.Changed> changes = views.between(view, next);
    view = next;
    for (Views.Changed change : changes) {
      Channel channel = channels.get(change.id().type());
      if (channel != null) {
        channel.published(change.id(), change.before(), change.after());
      }
    }
    return !changes.isEmpty();
  }

  boolean mayHaveNews() {
    for (Channel channel : channels.values()) {
      if (channel.mayHaveNews()) {
        return true;
      }
    }
    return false;
  }

  /**
   * Says what may be said, as long as the other end takes it. To have nothing to say is an answer,
   * too, for those who wait for what the proxy makes of something; no other may follow.
   */
  void pump() {
    boolean news = false;
    for (Channel channel : channels.values()) {
      if (!channel.mayHaveNews()) {
        continue;
      }
      if (closed || server.isClosed() || !wire.isReady()) {
        break;
      }
      boolean settled = channel.isSettled();
      Draft draft = channel.draft();
      if (draft != null) {
        send(channel, draft);
      }
      if (!settled && channel.isSettled()) {
        news = true;
        server.observer().settled(node(), channel.type());
      }
    }
    if (news) {
      server.pumpLater(proxy()); // others may have waited for it
    }
  }

  private void send(Channel channel, Draft draft) {
    ResourceType type = channel.type();
    String nonce = nonces.next();
    if (type == ResourceType.CLUSTER) {
      draft.sends.values().forEach(endpointsDue::sent);
    }
    ResourceTable after = server.step().from(channel.running(), draft);
    String version = Nonces.version(after.version(), nonce);
    ByteString bytes;
    if (protocol == Protocol.DELTA) {
      boolean envoy = node().isEnvoy();
      if (envoy) {
        draft.removes.addAll(draft.missing.keySet());
      }
      bytes =
          server
              .encoding()
              .delta(
                  type,
                  draft.sends.values(),
                  draft.removes,
                  version,
                  nonce,
                  envoy ? Collections.emptySortedMap() : draft.missing);
    } else if (sendsFullState(type)) {
      bytes = server.encoding().sotw(type, after, version, nonce, draft.missing);
    } else {
      bytes = server.encoding().sotw(type, draft.sends.values(), version, nonce, draft.missing);
    }
    channel.sent(draft, nonce, version, after, server.time().nanoTime());
    server.stats(type).sent(bytes.size());
    server.awaitAnswers();
    wire.send(bytes);
  }

  /** The proxy comes back with something: it will soon have said all that it has. */
  private void returned() {
    endpointsDue.returned();
    arrival.begin();
    server.awaitAnswers();
  }

  /** Whether a proxy that came back has yet to say what it runs. */
  boolean isArriving() {
    return arrival.isUnderWay(server.time().nanoTime());
  }

  /** Marks responses that have waited for longer than others should. */
  boolean markSilent(long now) {
    if (arrival.ends(now)) {
      server.pumpLater(proxy());
    }
    boolean waiting = arrival.isUnderWay(now);
    for (Channel channel : channels.values()) {
      Push push = channel.inFlight();
      if (push == null || push.silent) {
        continue;
      }
      waiting = true;
      if (now - push.sentAt >= AdsServer.patience(channel.type()).toNanos()) {
        channel.fellSilent(push);
        server.observer().silent(node(), channel.type());
        server.pumpLater(proxy());
      }
    }
    return waiting;
  }

  void close() {
    closed = true;
    if (proxy != null) {
      server.leave(this, proxy);
    }
  }

  // What channels ask.

  /** In SotW, a response for clusters or listeners holds all of them. */
  boolean sendsFullState(ResourceType type) {
    return protocol == Protocol.SOTW && type.isWildcard();
  }

  /**
   * Whether there is a way to say that something is missing. Envoy knows no errors for single
   * resources, and takes the removal of routes or extensions for a promise of more to come.
   */
  boolean canSayMissing(ResourceType type) {
    return !node().isEnvoy() || (protocol == Protocol.DELTA && type == ResourceType.SECRET);
  }

  /** Whether the proxy is shown what not everybody is. */
  boolean isOnTrial() {
    return server.isOnTrial(proxy());
  }

  boolean isProven(Resource resource) {
    return resource.contributions().isEmpty()
        || resource.equals(lastGood(resource.id().type(), resource.name()));
  }

  @Nullable Resource lastGood(ResourceType type, String name) {
    return server.lastGood(node().proxyClass(), type).get(name);
  }

  /**
   * What clusters may wait for that the proxy has not answered on. They are shown no longer; but
   * before it has got what they need, it answers on no others.
   */
  @Nullable Resource onItsWay(ResourceType type, String name) {
    Channel clusters = channel(ResourceType.CLUSTER);
    Push push = clusters == null ? null : clusters.inFlight();
    return push == null ? null : push.view.get(type, name);
  }

  @Nullable Channel allClusters() {
    return proxy().allClusters(this);
  }

  @Nullable Channel channel(ResourceType type) {
    return channels.get(type);
  }

  Iterable<Channel> channels() {
    return channels.values();
  }

  Rejections rejections() {
    return proxy().rejections;
  }

  ProxyNode node() {
    return proxy().node();
  }

  Proxy proxy() {
    if (proxy == null) {
      throw new IllegalStateException("the stream has not said who it is");
    }
    return proxy;
  }

  Snapshot view() {
    return view;
  }

  AdsServer server() {
    return server;
  }

  long id() {
    return id;
  }

  Wire wire() {
    return wire;
  }

  Protocol protocol() {
    return protocol;
  }

  /**
   * Whether the proxy came serving something. A listener that asks for its first routes does not.
   */
  boolean cameServing() {
    Channel routes = channel(ResourceType.ROUTES);
    return routes == null
        ? channels.values().stream().anyMatch(channel -> channel.comeback().happened())
        : routes.comeback().happened();
  }

  /** Whether the proxy came running something that it was not shown here. */
  boolean cameWithMore() {
    return channels.values().stream().anyMatch(channel -> channel.comeback().broughtMore());
  }

  boolean isAggregated() {
    return only == null;
  }

  Instant since() {
    return since;
  }
}
