// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.controlplane.ads.stream;

import dev.holdfast.controlplane.ads.access.Access;
import dev.holdfast.controlplane.ads.access.AccessPolicy;
import dev.holdfast.controlplane.ads.proxy.ProxyNode;
import dev.holdfast.controlplane.ads.proxy.RejectedVersions;
import dev.holdfast.controlplane.ads.reconnect.ConfirmedVersions;
import dev.holdfast.controlplane.ads.reconnect.HeldClaim;
import dev.holdfast.controlplane.ads.reconnect.HeldVersion;
import dev.holdfast.controlplane.ads.reconnect.PreviousVersions;
import dev.holdfast.controlplane.ads.view.HostForm;
import dev.holdfast.controlplane.ads.view.SnapshotDiffs;
import dev.holdfast.controlplane.ads.wire.Nonces;
import dev.holdfast.controlplane.ads.wire.Protocol;
import dev.holdfast.controlplane.ads.wire.Refusal;
import dev.holdfast.controlplane.ads.wire.ResponseSink;
import dev.holdfast.controlplane.ads.wire.StreamHandler;
import dev.holdfast.controlplane.ads.wire.TypedRequest;
import dev.holdfast.controlplane.ledger.DecisionProbe;
import dev.holdfast.controlplane.snapshot.Resource;
import dev.holdfast.controlplane.snapshot.ResourceType;
import dev.holdfast.controlplane.snapshot.Snapshot;
import dev.holdfast.controlplane.translate.host.ResourceNames;
import io.envoyproxy.envoy.config.core.v3.Node;
import io.envoyproxy.envoy.service.discovery.v3.DeltaDiscoveryRequest;
import io.envoyproxy.envoy.service.discovery.v3.DiscoveryRequest;
import io.grpc.Status;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * One xDS stream of a proxy: takes its requests to the type they concern and sends the responses.
 * Loop only.
 */
public final class AdsStream implements StreamHandler {
  /** The types that make Envoy subscribe to secrets and extensions again. */
  private static final Set<ResourceType> RESUBSCRIBING =
      EnumSet.of(ResourceType.CLUSTER, ResourceType.LISTENER, ResourceType.EXTENSION);

  private static final int MOST_NOTED = 10_000;

  private static final Status FAILED =
      Status.INTERNAL.withDescription("the control plane had an internal error; see its log");

  private final long id;
  private final StreamEnv env;
  private final ResponseSink sink;
  private final Protocol protocol;

  /** The only type of the stream; null if it is aggregated. */
  private final @Nullable ResourceType only;

  private final Instant since;
  private final Nonces nonces = new Nonces();
  private final Map<ResourceType, TypeStream> typeStreams = new EnumMap<>(ResourceType.class);

  private final EndpointResends endpointResends = new EndpointResends(this);
  private final ReconnectWindow reconnectWindow;
  private @Nullable Proxy proxy;
  private Access access = Access.FULL;
  private HostForm hostForm = HostForm.TABLE;
  private Snapshot view;
  private boolean wasOnTrial;

  /** Whether the proxy named a version that it holds in the first request of a type. */
  private boolean holdsSomething;

  private boolean closed;

  /** How many names the stream subscribes to, of all types. */
  private int names;

  /** What was rejected on this stream while the proxy had another one. */
  private final List<RejectedVersions.Key> rejected = new ArrayList<>();

  /**
   * @param only the type of a stream that carries no other; null if it is aggregated
   */
  public AdsStream(
      long id, StreamEnv env, ResponseSink sink, Protocol protocol, @Nullable ResourceType only) {
    this.id = id;
    this.env = env;
    this.sink = sink;
    this.protocol = protocol;
    this.only = only;
    this.view = env.views().commonBaseline();
    this.since = env.time().now();
    this.reconnectWindow = new ReconnectWindow(this, env.time().nanoTime());
  }

  // Requests.

  @Override
  public void onSotwRequest(TypedRequest<DiscoveryRequest> typed) {
    guard("handling a request", () -> sotwRequest(typed));
  }

  private void sotwRequest(TypedRequest<DiscoveryRequest> typed) {
    DiscoveryRequest request = typed.message();
    TypeStream typeStream =
        typeStreamFor(
            request.getNode(), new HeldClaim(typed.type(), request.getVersionInfo(), Map.of()));
    if (typeStream == null) {
      return;
    }
    boolean first = typeStream.isAwaitingRequest();
    boolean answer =
        env.answers()
            .handle(
                proxy(),
                typeStream,
                request.getResponseNonce(),
                request.hasErrorDetail() && !isLateError(typeStream, request)
                    ? request.getErrorDetail().getMessage()
                    : null);
    Subscription.Change change =
        typeStream
            .subscription()
            .replace(request.getResourceNamesList(), typeStream.type().isWildcard());
    if (hasTooManyNames(change)) {
      return;
    }
    typeStream.subscribed(change);
    if (first && !request.getVersionInfo().isEmpty()) {
      beginReconnect();
      typeStream.resumed(request.getVersionInfo());
      endpointResends.onResumed(typeStream);
    } else {
      typeStream.requested();
      if (!first && !answer && change.isNothing()) {
        endpointResends.onRepeatedRequest(typeStream);
      }
    }
    afterRequest(typeStream, change);
  }

  /**
   * A request that repeats the version of the latest response accepts it, whatever error it
   * carries: the error belongs to an earlier response, and Envoy merged the two answers into one
   * request.
   */
  private static boolean isLateError(TypeStream typeStream, DiscoveryRequest request) {
    InFlightResponse response = typeStream.unanswered();
    return response != null
        && response.nonce().equals(request.getResponseNonce())
        && response.version().equals(request.getVersionInfo());
  }

  @Override
  public void onDeltaRequest(TypedRequest<DeltaDiscoveryRequest> typed) {
    guard("handling a request", () -> deltaRequest(typed));
  }

  private void deltaRequest(TypedRequest<DeltaDiscoveryRequest> typed) {
    DeltaDiscoveryRequest request = typed.message();
    TypeStream typeStream =
        typeStreamFor(
            request.getNode(),
            new HeldClaim(typed.type(), "", request.getInitialResourceVersionsMap()));
    if (typeStream == null) {
      return;
    }
    boolean first = typeStream.isAwaitingRequest();
    env.answers()
        .handle(
            proxy(),
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
    if (hasTooManyNames(change)) {
      return;
    }
    typeStream.subscribed(change);
    if (first && request.getInitialResourceVersionsCount() > 0) {
      beginReconnect();
      typeStream.resumed(request.getInitialResourceVersionsMap());
      endpointResends.onResumed(typeStream);
    } else {
      typeStream.requested();
    }
    afterRequest(typeStream, change);
  }

  /** Counts the names of the stream; it ends if there are too many. */
  private boolean hasTooManyNames(Subscription.Change change) {
    if (change.isNothing()) {
      return false;
    }
    int before = names;
    names = 0;
    typeStreams.values().forEach(each -> names += each.subscription().size());
    Refusal refusal = env.host().countNames(names, names - before);
    if (refusal == null) {
      return false;
    }
    env.host().refuse(this, refusal);
    return true;
  }

  /**
   * @param claim what the request says that the proxy holds
   */
  private @Nullable TypeStream typeStreamFor(Node node, HeldClaim claim) {
    if (closed) {
      return null;
    }
    if (proxy == null) {
      AccessPolicy.Decision decision = env.access().decide(sink.client(), node);
      if (decision.access() == null) {
        env.observer().notAllowed(node.getId(), sink.address(), decision.refusal());
        env.host().refuse(this, Refusal.notAllowed(decision.refusal()));
        return null;
      }
      access = decision.access();
      hostForm = env.hosts().formOf(node, protocol, isAggregated());
      ProxyNode named = ProxyNode.of(node, generatedId());
      proxy = env.host().join(this, hostForm == HostForm.EACH ? named.withHosts() : named, claim);
      view = visible(env.views().of(node().proxyClass(), node().id(), proxy.connection()));
    } else {
      env.host().heard(this, proxy);
    }
    ResourceType type =
        claim.type() == ResourceType.VIRTUAL_HOST && hostForm == HostForm.TABLE
            ? null // of the form that it had: it keeps these hosts until its listener is replaced
            : claim.type();
    if (type != null && !typeStreams.containsKey(type)) {
      noteClaim(type, claim);
    }
    if (type == null) {
      env.host().countUnknownType();
      return null;
    }
    return typeStreams.computeIfAbsent(type, unused -> new TypeStream(type, this));
  }

  /**
   * A proxy may hold no clusters, and yet listeners; but one that holds neither has just started.
   */
  private void noteClaim(ResourceType type, HeldClaim claim) {
    holdsSomething |= !claim.isNothing();
    boolean other =
        typeStreams.containsKey(
            type == ResourceType.CLUSTER ? ResourceType.LISTENER : ResourceType.CLUSTER);
    if (!holdsSomething && type.isTakenOneByOne() && other && isAggregated()) {
      env.host().startedAnew(this, proxy());
    }
  }

  /** The id of a node that names none. */
  private String generatedId() {
    return "unnamed-" + id;
  }

  /** The proxy names a version that it holds: it will soon name the versions of other types. */
  private void beginReconnect() {
    endpointResends.onReconnect();
    reconnectWindow.open();
    env.host().watchTimeouts();
  }

  private void afterRequest(TypeStream typeStream, Subscription.Change change) {
    if (!change.isNothing()) {
      env.observer().subscribed(node(), typeStream.type());
    }
    env.queue().add(proxy());
  }

  @Override
  public void onReady() {
    if (proxy != null) {
      env.queue().add(proxy);
    }
  }

  /** An error of our own ends this stream, and no other. */
  public void guard(String what, Runnable task) {
    try {
      task.run();
    } catch (RuntimeException | StackOverflowError | OutOfMemoryError e) {
      fail(what, e);
    }
  }

  private void fail(String what, Throwable error) {
    env.observer().internalError(what + (proxy == null ? "" : " to " + node().id()), error);
    if (!closed) {
      sink.end(FAILED);
    }
  }

  @Override
  public void onClosed() {
    closed = true;
    env.host().countNames(0, -names);
    if (proxy != null) {
      env.host().leave(this, proxy);
    }
  }

  // Responses.

  /** Of a snapshot, what the proxy gets. */
  private Snapshot visible(Snapshot snapshot) {
    Snapshot allowed = env.hosts().of(access.in(snapshot), hostForm);
    return access.isScout() ? env.scouts().of(allowed) : allowed;
  }

  /**
   * Serves another snapshot; returns whether there may be something to send: it differs from the
   * one before, or the proxy is no canary any more, which was not sent what needs what it rejected.
   */
  public boolean show(Snapshot shown, SnapshotDiffs diffs) {
    Snapshot next = visible(shown);
    TypeStream extensions = typeStreams.get(ResourceType.EXTENSION);
    boolean freed = wasOnTrial && !isOnTrial();
    wasOnTrial = isOnTrial();
    if (freed && extensions != null) {
      extensions.recheckRejected();
    }
    if (next == view) {
      return freed;
    }
    List<SnapshotDiffs.Change> changes = diffs.between(view, next);
    view = next;
    for (SnapshotDiffs.Change change : changes) {
      TypeStream typeStream = typeStreams.get(change.id().type());
      if (typeStream != null && typeStream.changed(change.id(), change.before(), change.after())) {
        env.sender().countSuppressed(typeStream.type());
        proxy().rejected();
      }
    }
    return freed || !changes.isEmpty();
  }

  boolean mayHaveResponse() {
    for (TypeStream typeStream : typeStreams.values()) {
      if (typeStream.mayHaveResponse()) {
        return true;
      }
    }
    return false;
  }

  boolean mayHaveLargeResponse() {
    for (TypeStream typeStream : typeStreams.values()) {
      if (typeStream.mayHaveLargeResponse()) {
        return true;
      }
    }
    return false;
  }

  /**
   * Sends the responses that are due, as long as the sink takes them. A type can also settle
   * without a response; the observer learns of it, because no ACK or NACK will follow.
   */
  void sendResponses() {
    boolean settledOne = false;
    for (TypeStream typeStream : typeStreams.values()) {
      if (!typeStream.mayHaveResponse()) {
        continue;
      }
      if (closed || env.host().isClosed() || !sink.isReady()) {
        break;
      }
      boolean settled = typeStream.isSettled();
      env.probe().at(DecisionProbe.Point.RESPONSE);
      PlannedResponse planned = typeStream.plan();
      if (planned != null) {
        send(typeStream, planned);
      }
      if (!settled && typeStream.isSettled()) {
        settledOne = true;
        env.observer().settled(node(), typeStream.type());
      }
    }
    if (settledOne) {
      env.queue().add(proxy()); // other types may have waited for it
    }
  }

  private void send(TypeStream typeStream, PlannedResponse planned) {
    if (typeStream.type() == ResourceType.CLUSTER) {
      planned.sends.values().forEach(endpointResends::onClusterSent);
    }
    env.sender().send(this, typeStream, planned, nonces.next());
    env.host().watchTimeouts();
  }

  // Timeouts.

  /** Whether the proxy reconnected and has yet to name everything that it runs. */
  boolean isReconnecting() {
    return reconnectWindow.isOpen(env.time().nanoTime());
  }

  /** Checks all timeouts; returns whether they have to be checked again later. */
  public boolean checkTimeouts(long now) {
    if (reconnectWindow.closeIfOver(now)) {
      env.queue().add(proxy());
    }
    boolean again = reconnectWindow.isOpen(now);
    for (TypeStream typeStream : typeStreams.values()) {
      again |= typeStream.isInFlight();
      if (typeStream.checkTimeout(now)) {
        env.observer().overdue(node(), typeStream.type());
        env.queue().add(proxy());
      }
      if (typeStream.checkBackoff(now)) {
        env.queue().add(proxy());
      }
      again |= typeStream.isBackingOff();
    }
    return again;
  }

  // Protocol rules.

  /** In SotW, a response for clusters or listeners contains all of them. */
  boolean sendsFullState(ResourceType type) {
    return protocol == Protocol.SOTW && type.isWildcard();
  }

  /**
   * Whether the proxy can be told that a resource is missing. Envoy knows no errors for single
   * resources, and after the removal of routes or extensions it waits for new ones.
   */
  boolean canReportMissing(ResourceType type) {
    return !node().isEnvoy() || (protocol == Protocol.DELTA && type == ResourceType.SECRET);
  }

  /** Whether the proxy is a canary. */
  boolean isOnTrial() {
    return proxy != null
        && env.views().isOnTrial(node().proxyClass(), node().id(), proxy().connection());
  }

  /** Whether the proxy may be served something else because of what it has just rejected. */
  boolean isUnjudged() {
    return proxy().isUnjudged();
  }

  /** Whether a proxy of the class accepted this version, or no author contributed to it. */
  boolean isProven(Resource resource) {
    return resource.contributions().isEmpty()
        || resource.equals(lastGood(resource.id().type(), resource.name()));
  }

  /** The last version that a proxy of the class accepted. */
  @Nullable Resource lastGood(ResourceType type, String name) {
    Resource good = env.views().lastGood(node().proxyClass(), type, name);
    return good != null && access.isScout() ? env.scouts().of(good) : good;
  }

  /**
   * A resource that clusters in flight may wait for. They are not in the served snapshot any more,
   * but until Envoy has received the resources that they need, it answers on no other clusters.
   */
  @Nullable Resource neededByClustersInFlight(ResourceType type, String name) {
    TypeStream clusters = typeStream(ResourceType.CLUSTER);
    InFlightResponse response = clusters == null ? null : clusters.unanswered();
    return response == null ? null : response.view().get(type, name);
  }

  // Hosts that come one by one.

  /** The form that the proxy gets the hosts without TLS in. */
  public HostForm hostForm() {
    return hostForm;
  }

  /** The routes, if the proxy subscribes to the table whose hosts come one by one. */
  private @Nullable TypeStream tableOfHosts() {
    TypeStream routes = hostForm == HostForm.EACH ? typeStream(ResourceType.ROUTES) : null;
    return routes != null && routes.subscription().hasName(ResourceNames.PLAIN_HOSTS.name())
        ? routes
        : null;
  }

  /**
   * Whether hosts may be sent: the proxy has their table. It accepts hosts of a table that it does
   * not have, and forgets them.
   */
  boolean takesHosts() {
    TypeStream table = tableOfHosts();
    if (table == null || !table.holds(ResourceNames.PLAIN_HOSTS.name())) {
      return false;
    }
    InFlightResponse response = table.unanswered();
    return response == null || !response.changed().containsKey(ResourceNames.PLAIN_HOSTS.name());
  }

  /** Whether the proxy has the table of hosts, and has yet to ask for the hosts. */
  boolean isAwaitingHosts() {
    return takesHosts() && typeStream(ResourceType.VIRTUAL_HOST) == null;
  }

  /** Whether a listener may be waiting for the first hosts of the table. */
  public boolean isWarmingHosts() {
    if (tableOfHosts() == null) {
      return false;
    }
    Resource table = view.get(ResourceNames.PLAIN_HOSTS);
    if (table == null || rejections().contains(table)) {
      return false;
    }
    TypeStream hosts = typeStream(ResourceType.VIRTUAL_HOST);
    return hosts == null || hosts.isAwaited();
  }

  /**
   * The proxy accepted the table of hosts: it has none of them, whatever it was sent before. It
   * asks for them once; if it dropped the table and has it again, it does not.
   */
  void acceptedTableOfHosts() {
    if (hostForm == HostForm.EACH) {
      typeStreams
          .computeIfAbsent(ResourceType.VIRTUAL_HOST, type -> new TypeStream(type, this))
          .startOver();
    }
  }

  @Nullable TypeStream wildcardClusters() {
    return proxy().wildcardClusters(this);
  }

  EdsServiceNames edsNames() {
    return env.edsNames();
  }

  // Reconnect.

  /** The resources of a type that the proxy may hold from other streams. */
  PreviousVersions previousVersions(ResourceType type) {
    List<HeldVersion> onOpenStreams = new ArrayList<>();
    for (Proxy each : env.host().sharing(proxy())) {
      onOpenStreams.addAll(each.heldVersions(type, this));
    }
    return env.disconnected().of(proxy().nodeId(), type, onOpenStreams);
  }

  /** The resources of a type that earlier processes of the proxy held when they disconnected. */
  List<HeldVersion> heldBefore(ResourceType type) {
    return env.disconnected().everHeld(proxy().nodeId(), node().id(), type);
  }

  /** Whether the proxy is served the clusters and filters that a resource refers to. */
  boolean hasAllThatItNeeds(Resource resource) {
    boolean[] all = {true};
    resource
        .clusters()
        .forEach((name, unused) -> all[0] &= view.get(ResourceType.CLUSTER, name) != null);
    resource
        .filters()
        .forEach((name, unused) -> all[0] &= view.get(ResourceType.EXTENSION, name) != null);
    return all[0];
  }

  /** Whether the proxy is known to hold all resources of a version that it names. */
  boolean isConfirmed(ResourceType type, String version) {
    return env.disconnected().confirmed().contains(id, type, version)
        && typeStreams.values().stream()
            .noneMatch(
                typeStream ->
                    RESUBSCRIBING.contains(typeStream.type())
                        && !typeStream.sentVersion().isEmpty());
  }

  /**
   * The versions that the proxy, an Envoy with this stream only, is known to hold completely. Empty
   * unless it has accepted every response.
   */
  Map<ResourceType, String> confirmedVersions() {
    if (protocol != Protocol.SOTW || !isAggregated() || node().id().equals(generatedId())) {
      return Map.of();
    }
    Map<ResourceType, String> versions = new EnumMap<>(ResourceType.class);
    for (TypeStream typeStream : typeStreams.values()) {
      if (!typeStream.isSettled() || typeStream.lastNack() != null) {
        return Map.of();
      }
      String version = typeStream.acceptedVersion();
      if (ConfirmedVersions.TYPES.contains(typeStream.type())
          && typeStream.running().version().equals(Nonces.digest(version))) {
        versions.put(typeStream.type(), version);
      }
    }
    return versions;
  }

  /** The versions of each type that the proxy may hold. */
  public Map<ResourceType, List<HeldVersion>> heldVersions() {
    Map<ResourceType, List<HeldVersion>> held = new EnumMap<>(ResourceType.class);
    typeStreams.forEach((type, typeStream) -> held.put(type, typeStream.heldVersions()));
    return held;
  }

  /**
   * Whether the proxy was serving traffic when it connected. A proxy without listeners was not, nor
   * was a listener that requests its first routes.
   */
  public boolean wasServingOnConnect() {
    for (ResourceType type : List.of(ResourceType.ROUTES, ResourceType.LISTENER)) {
      TypeStream typeStream = typeStream(type);
      if (typeStream != null) {
        return isReconnect(typeStream);
      }
    }
    return typeStreams.values().stream().anyMatch(AdsStream::isReconnect);
  }

  private static boolean isReconnect(TypeStream typeStream) {
    return typeStream.reconnectState() != ReconnectState.NEW;
  }

  /** Whether the proxy serves traffic with versions that this control plane did not serve. */
  public boolean hadUnknownVersionsOnConnect() {
    return wasServingOnConnect()
        && typeStreams.values().stream()
            .anyMatch(typeStream -> typeStream.reconnectState() == ReconnectState.UNKNOWN_VERSIONS);
  }

  // Accessors.

  public @Nullable TypeStream typeStream(ResourceType type) {
    return typeStreams.get(type);
  }

  public Iterable<TypeStream> typeStreams() {
    return typeStreams.values();
  }

  public Proxy proxy() {
    if (proxy == null) {
      throw new IllegalStateException("the stream has not named its node");
    }
    return proxy;
  }

  /** What the proxy may have. */
  public Access access() {
    return access;
  }

  public ProxyNode node() {
    return proxy().node();
  }

  /** Notes what was rejected on this stream, which may turn out to be of another process. */
  void noteRejected(List<Resource> resources) {
    if (proxy().streams().size() > 1 && rejected.size() < MOST_NOTED) {
      resources.forEach(
          resource -> rejected.add(new RejectedVersions.Key(resource.id(), resource.version())));
    }
  }

  /** What was rejected on this stream while the proxy had another one. */
  public List<RejectedVersions.Key> rejected() {
    return Collections.unmodifiableList(rejected);
  }

  public RejectedVersions rejections() {
    return proxy().rejections();
  }

  /** The snapshot that the proxy is served. */
  public Snapshot view() {
    return view;
  }

  public long id() {
    return id;
  }

  public ResponseSink sink() {
    return sink;
  }

  public Protocol protocol() {
    return protocol;
  }

  /** Whether a process has only one of the two streams, unless one of them is broken. */
  boolean competesWith(AdsStream other) {
    String address = sink.address();
    return only == other.only && (address.isEmpty() || !address.equals(other.sink.address()));
  }

  /** Whether the stream carries all types. */
  public boolean isAggregated() {
    return only == null;
  }

  public Instant since() {
    return since;
  }
}
