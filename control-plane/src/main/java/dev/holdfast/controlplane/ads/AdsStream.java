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
final class AdsStream {
  private final long id;
  private final AdsServer server;
  private final ResponseSink sink;
  private final Protocol protocol;

  /** The only type of the stream; null if it carries all. */
  private final @Nullable ResourceType only;

  private final Instant since;
  private final Nonces nonces = new Nonces();
  private final Map<ResourceType, TypeStream> typeStreams = new EnumMap<>(ResourceType.class);

  private final EndpointResends endpointResends = new EndpointResends(this);
  private final ReconnectWindow reconnectWindow;
  private final AckNackRecorder ackNacks;
  private @Nullable Proxy proxy;
  private Snapshot view;
  private boolean closed;

  AdsStream(
      long id,
      AdsServer server,
      ResponseSink sink,
      Protocol protocol,
      @Nullable ResourceType only,
      Snapshot view) {
    this.id = id;
    this.server = server;
    this.sink = sink;
    this.protocol = protocol;
    this.only = only;
    this.view = view;
    this.since = server.time().now();
    this.reconnectWindow = new ReconnectWindow(this, server.time().nanoTime());
    this.ackNacks = new AckNackRecorder(this);
  }

  // Requests.

  void onSotw(TypedRequest<DiscoveryRequest> asked) {
    DiscoveryRequest request = asked.message();
    TypeStream typeStream = typeStreamFor(asked.type(), request.getNode());
    if (typeStream == null) {
      return;
    }
    boolean first = !typeStream.hasHeard();
    boolean answer =
        ackNacks.take(
            typeStream,
            request.getResponseNonce(),
            request.hasErrorDetail() && !AckNackRecorder.acceptedAllTheSame(typeStream, request)
                ? request.getErrorDetail().getMessage()
                : null);
    Subscription.Change change =
        typeStream
            .subscription()
            .replace(request.getResourceNamesList(), typeStream.type().isWildcard());
    typeStream.subscribed(change);
    if (first && !request.getVersionInfo().isEmpty()) {
      returned();
      typeStream.resume(request.getVersionInfo());
      endpointResends.resumed(typeStream);
    } else if (!first && !answer && change.isNothing()) {
      endpointResends.askedAgain(typeStream);
    }
    if (!change.isNothing()) {
      server.observer().subscribed(node(), typeStream.type());
    }
    server.pumpLater(proxy());
  }

  void onDelta(TypedRequest<DeltaDiscoveryRequest> asked) {
    DeltaDiscoveryRequest request = asked.message();
    TypeStream typeStream = typeStreamFor(asked.type(), request.getNode());
    if (typeStream == null) {
      return;
    }
    boolean first = !typeStream.hasHeard();
    ackNacks.take(
        typeStream,
        request.getResponseNonce(),
        request.hasErrorDetail() ? request.getErrorDetail().getMessage() : null);
    boolean all =
        first
            && typeStream.type().isWildcard()
            && request.getResourceNamesSubscribeCount() == 0
            && request.getResourceNamesUnsubscribeCount() == 0;
    Subscription.Change change =
        typeStream
            .subscription()
            .change(
                request.getResourceNamesSubscribeList(),
                request.getResourceNamesUnsubscribeList(),
                all);
    typeStream.subscribed(change);
    if (first && request.getInitialResourceVersionsCount() > 0) {
      returned();
      typeStream.resume(request.getInitialResourceVersionsMap());
      endpointResends.resumed(typeStream);
    }
    if (!change.isNothing()) {
      server.observer().subscribed(node(), typeStream.type());
    }
    server.pumpLater(proxy());
  }

  private @Nullable TypeStream typeStreamFor(@Nullable ResourceType type, Node node) {
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
    return typeStreams.computeIfAbsent(type, unused -> new TypeStream(type, this));
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
  boolean show(Snapshot next, SnapshotDiffs views) {
    if (next == view) {
      return false;
    }
    List<SnapshotDiffs.Changed> changes = views.between(view, next);
    view = next;
    for (SnapshotDiffs.Changed change : changes) {
      TypeStream typeStream = typeStreams.get(change.id().type());
      if (typeStream != null) {
        typeStream.published(change.id(), change.before(), change.after());
      }
    }
    return !changes.isEmpty();
  }

  boolean mayHaveNews() {
    for (TypeStream typeStream : typeStreams.values()) {
      if (typeStream.mayHaveNews()) {
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
    for (TypeStream typeStream : typeStreams.values()) {
      if (!typeStream.mayHaveNews()) {
        continue;
      }
      if (closed || server.isClosed() || !sink.isReady()) {
        break;
      }
      boolean settled = typeStream.isSettled();
      PlannedResponse draft = typeStream.draft();
      if (draft != null) {
        send(typeStream, draft);
      }
      if (!settled && typeStream.isSettled()) {
        news = true;
        server.observer().settled(node(), typeStream.type());
      }
    }
    if (news) {
      server.pumpLater(proxy()); // others may have waited for it
    }
  }

  private void send(TypeStream typeStream, PlannedResponse draft) {
    ResourceType type = typeStream.type();
    String nonce = nonces.next();
    if (type == ResourceType.CLUSTER) {
      draft.sends.values().forEach(endpointResends::sent);
    }
    ResourceTable after = server.nextTables().from(typeStream.running(), draft);
    String version = Nonces.version(after.version(), nonce);
    ByteString bytes;
    if (protocol == Protocol.DELTA) {
      boolean envoy = node().isEnvoy();
      if (envoy) {
        draft.removes.addAll(draft.missing.keySet());
      }
      bytes =
          server
              .encoder()
              .delta(
                  type,
                  draft.sends.values(),
                  draft.removes,
                  version,
                  nonce,
                  envoy ? Collections.emptySortedMap() : draft.missing);
    } else if (sendsFullState(type)) {
      bytes = server.encoder().sotw(type, after, version, nonce, draft.missing);
    } else {
      bytes = server.encoder().sotw(type, draft.sends.values(), version, nonce, draft.missing);
    }
    typeStream.sent(draft, nonce, version, after, server.time().nanoTime());
    server.stats(type).sent(bytes.size());
    server.awaitAnswers();
    sink.send(bytes);
  }

  /** The proxy comes back with something: it will soon have said all that it has. */
  private void returned() {
    endpointResends.returned();
    reconnectWindow.begin();
    server.awaitAnswers();
  }

  /** Whether a proxy that came back has yet to say what it runs. */
  boolean isArriving() {
    return reconnectWindow.isUnderWay(server.time().nanoTime());
  }

  /** Marks responses that have waited for longer than others should. */
  boolean markSilent(long now) {
    if (reconnectWindow.ends(now)) {
      server.pumpLater(proxy());
    }
    boolean waiting = reconnectWindow.isUnderWay(now);
    for (TypeStream typeStream : typeStreams.values()) {
      InFlightResponse response = typeStream.inFlight();
      if (response == null || response.silent) {
        continue;
      }
      waiting = true;
      if (now - response.sentAt >= AdsServer.patience(typeStream.type()).toNanos()) {
        typeStream.fellSilent(response);
        server.observer().silent(node(), typeStream.type());
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

  // What type streams ask.

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
    TypeStream clusters = typeStream(ResourceType.CLUSTER);
    InFlightResponse response = clusters == null ? null : clusters.inFlight();
    return response == null ? null : response.view.get(type, name);
  }

  @Nullable TypeStream allClusters() {
    return proxy().allClusters(this);
  }

  @Nullable TypeStream typeStream(ResourceType type) {
    return typeStreams.get(type);
  }

  Iterable<TypeStream> typeStreams() {
    return typeStreams.values();
  }

  RejectedVersions rejections() {
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

  ResponseSink sink() {
    return sink;
  }

  Protocol protocol() {
    return protocol;
  }

  /**
   * Whether the proxy came serving something. A listener that asks for its first routes does not.
   */
  boolean cameServing() {
    TypeStream routes = typeStream(ResourceType.ROUTES);
    return routes == null
        ? typeStreams.values().stream().anyMatch(typeStream -> typeStream.reconnect().happened())
        : routes.reconnect().happened();
  }

  /** Whether the proxy came running something that it was not shown here. */
  boolean cameWithMore() {
    return typeStreams.values().stream()
        .anyMatch(typeStream -> typeStream.reconnect().broughtMore());
  }

  boolean isAggregated() {
    return only == null;
  }

  Instant since() {
    return since;
  }
}
