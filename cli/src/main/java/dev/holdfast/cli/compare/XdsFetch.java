// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.cli.compare;

import com.google.protobuf.Any;
import com.google.protobuf.InvalidProtocolBufferException;
import dev.holdfast.cli.CommandException;
import dev.holdfast.controlplane.snapshot.ResourceType;
import io.envoyproxy.envoy.config.cluster.v3.Cluster;
import io.envoyproxy.envoy.config.core.v3.Node;
import io.envoyproxy.envoy.config.listener.v3.Filter;
import io.envoyproxy.envoy.config.listener.v3.FilterChain;
import io.envoyproxy.envoy.config.listener.v3.Listener;
import io.envoyproxy.envoy.extensions.filters.network.http_connection_manager.v3.HttpConnectionManager;
import io.envoyproxy.envoy.extensions.transport_sockets.tls.v3.CommonTlsContext;
import io.envoyproxy.envoy.extensions.transport_sockets.tls.v3.DownstreamTlsContext;
import io.envoyproxy.envoy.extensions.transport_sockets.tls.v3.SdsSecretConfig;
import io.envoyproxy.envoy.extensions.transport_sockets.tls.v3.UpstreamTlsContext;
import io.envoyproxy.envoy.service.cluster.v3.ClusterDiscoveryServiceGrpc;
import io.envoyproxy.envoy.service.discovery.v3.AggregatedDiscoveryServiceGrpc;
import io.envoyproxy.envoy.service.discovery.v3.DiscoveryRequest;
import io.envoyproxy.envoy.service.discovery.v3.DiscoveryResponse;
import io.envoyproxy.envoy.service.endpoint.v3.EndpointDiscoveryServiceGrpc;
import io.envoyproxy.envoy.service.listener.v3.ListenerDiscoveryServiceGrpc;
import io.envoyproxy.envoy.service.route.v3.RouteDiscoveryServiceGrpc;
import io.envoyproxy.envoy.service.secret.v3.SecretDiscoveryServiceGrpc;
import io.grpc.CallOptions;
import io.grpc.Channel;
import io.grpc.MethodDescriptor;
import io.grpc.Status;
import io.grpc.stub.ClientCalls;
import io.grpc.stub.StreamObserver;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;

/**
 * Asks an xDS server for everything that an Envoy would get: listeners and clusters, and what these
 * refer to. Each type has a stream of its own, as with Contour; a server that has none of these is
 * asked over ADS.
 */
final class XdsFetch {
  /** After a response, for how long another one may follow. */
  private static final Duration QUIET = Duration.ofMillis(700);

  private final Channel channel;
  private final String server;
  private final Node node;
  private final Duration patience;
  private final ServedResources found = new ServedResources();

  private XdsFetch(Channel channel, String server, String node, Duration patience) {
    this.channel = channel;
    this.server = server;
    this.node = Node.newBuilder().setId(node).setCluster("holdfast").build();
    this.patience = patience;
  }

  /**
   * @param server its address, for error texts
   * @throws CommandException if it does not answer
   */
  static ServedResources all(Channel channel, String server, String node, Duration patience) {
    XdsFetch fetch = new XdsFetch(channel, server, node, patience);
    try {
      return fetch.all();
    } catch (InvalidProtocolBufferException e) {
      throw new CommandException(server + ": sent a resource that cannot be decoded", e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new CommandException("interrupted", e);
    }
  }

  private ServedResources all() throws InvalidProtocolBufferException, InterruptedException {
    get(ResourceType.LISTENER, List.of());
    get(ResourceType.CLUSTER, List.of());
    SortedSet<String> tables = new TreeSet<>();
    SortedSet<String> secrets = new TreeSet<>();
    for (Listener listener : found.listeners.values()) {
      for (FilterChain chain : listener.getFilterChainsList()) {
        addReferences(chain, tables, secrets);
      }
      addReferences(listener.getDefaultFilterChain(), tables, secrets);
    }
    SortedSet<String> services = new TreeSet<>();
    for (Cluster cluster : found.clusters.values()) {
      if (cluster.hasEdsClusterConfig()) {
        String service = cluster.getEdsClusterConfig().getServiceName();
        services.add(service.isEmpty() ? cluster.getName() : service);
      }
      Any socket = cluster.getTransportSocket().getTypedConfig();
      if (socket.is(UpstreamTlsContext.class)) {
        addSecrets(socket.unpack(UpstreamTlsContext.class).getCommonTlsContext(), secrets);
      }
    }
    get(ResourceType.ROUTES, tables);
    get(ResourceType.ENDPOINTS, services);
    get(ResourceType.SECRET, secrets);
    return found;
  }

  private static void addReferences(
      FilterChain chain, Collection<String> tables, Collection<String> secrets)
      throws InvalidProtocolBufferException {
    for (Filter filter : chain.getFiltersList()) {
      if (filter.getTypedConfig().is(HttpConnectionManager.class)) {
        HttpConnectionManager manager = filter.getTypedConfig().unpack(HttpConnectionManager.class);
        if (manager.hasRds()) {
          tables.add(manager.getRds().getRouteConfigName());
        }
      }
    }
    Any socket = chain.getTransportSocket().getTypedConfig();
    if (socket.is(DownstreamTlsContext.class)) {
      addSecrets(socket.unpack(DownstreamTlsContext.class).getCommonTlsContext(), secrets);
    }
  }

  private static void addSecrets(CommonTlsContext context, Collection<String> secrets) {
    context.getTlsCertificateSdsSecretConfigsList().forEach(each -> add(each, secrets));
    add(context.getValidationContextSdsSecretConfig(), secrets);
    add(context.getCombinedValidationContext().getValidationContextSdsSecretConfig(), secrets);
  }

  private static void add(SdsSecretConfig reference, Collection<String> secrets) {
    if (!reference.getName().isEmpty()) {
      secrets.add(reference.getName());
    }
  }

  // Streams.

  /**
   * @param names of the resources; none for all
   */
  private void get(ResourceType type, Collection<String> names)
      throws InvalidProtocolBufferException, InterruptedException {
    boolean isWildcard = type.isWildcard();
    if (!isWildcard && names.isEmpty()) {
      return;
    }
    Status status = get(type, names, method(type));
    if (status.getCode() == Status.Code.UNIMPLEMENTED) {
      status =
          get(type, names, AggregatedDiscoveryServiceGrpc.getStreamAggregatedResourcesMethod());
    }
    if (!status.isOk()) {
      throw new CommandException(
          server + ": no " + type.word() + ": " + reason(status), status.asRuntimeException());
    }
  }

  private static String reason(Status status) {
    Throwable cause = status.getCause();
    while (cause != null && cause.getCause() != null) {
      cause = cause.getCause();
    }
    return status.getCode()
        + (status.getDescription() == null ? "" : ": " + status.getDescription())
        + (cause == null || cause.getMessage() == null ? "" : ": " + cause.getMessage());
  }

  /** What a stream said: a response, or how it ended. */
  private record Event(DiscoveryResponse response, Status end) {}

  private Status get(
      ResourceType type,
      Collection<String> names,
      MethodDescriptor<DiscoveryRequest, DiscoveryResponse> method)
      throws InvalidProtocolBufferException, InterruptedException {
    BlockingQueue<Event> events = new LinkedBlockingQueue<>();
    StreamObserver<DiscoveryRequest> requests =
        ClientCalls.asyncBidiStreamingCall(
            channel.newCall(method, CallOptions.DEFAULT),
            new StreamObserver<>() {
              @Override
              public void onNext(DiscoveryResponse response) {
                events.add(new Event(response, Status.OK));
              }

              @Override
              public void onError(Throwable e) {
                events.add(
                    new Event(DiscoveryResponse.getDefaultInstance(), Status.fromThrowable(e)));
              }

              @Override
              public void onCompleted() {
                events.add(
                    new Event(
                        DiscoveryResponse.getDefaultInstance(),
                        Status.UNAVAILABLE.withDescription("the server ended the stream")));
              }
            });
    DiscoveryRequest request =
        DiscoveryRequest.newBuilder()
            .setNode(node)
            .setTypeUrl(type.typeUrl())
            .addAllResourceNames(names)
            .build();
    requests.onNext(request);
    TreeSet<String> missing = new TreeSet<>(names);
    boolean isAnswered = false;
    try {
      while (true) {
        Event event =
            events.poll(isAnswered ? QUIET.toMillis() : patience.toMillis(), TimeUnit.MILLISECONDS);
        if (event == null) {
          return isAnswered
              ? Status.OK
              : Status.DEADLINE_EXCEEDED.withDescription(
                  "no response within " + patience.toSeconds() + " s");
        }
        if (!event.end().isOk()) {
          return event.end();
        }
        isAnswered = true;
        DiscoveryResponse response = event.response();
        for (Any resource : response.getResourcesList()) {
          missing.remove(found.add(type, resource.getValue()));
        }
        if (missing.isEmpty()) {
          return Status.OK; // a response without names has all listeners, or all clusters
        }
        requests.onNext(
            request.toBuilder()
                .setVersionInfo(response.getVersionInfo())
                .setResponseNonce(response.getNonce())
                .build());
      }
    } finally {
      requests.onError(Status.CANCELLED.asRuntimeException());
    }
  }

  private static MethodDescriptor<DiscoveryRequest, DiscoveryResponse> method(ResourceType type) {
    return switch (type) {
      case LISTENER -> ListenerDiscoveryServiceGrpc.getStreamListenersMethod();
      case CLUSTER -> ClusterDiscoveryServiceGrpc.getStreamClustersMethod();
      case ROUTES -> RouteDiscoveryServiceGrpc.getStreamRoutesMethod();
      case ENDPOINTS -> EndpointDiscoveryServiceGrpc.getStreamEndpointsMethod();
      case SECRET -> SecretDiscoveryServiceGrpc.getStreamSecretsMethod();
      case EXTENSION, VIRTUAL_HOST ->
          AggregatedDiscoveryServiceGrpc.getStreamAggregatedResourcesMethod();
    };
  }
}
