// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.controlplane.ads;

import com.google.protobuf.ByteString;
import dev.holdfast.controlplane.snapshot.ResourceType;
import io.envoyproxy.envoy.service.cluster.v3.ClusterDiscoveryServiceGrpc;
import io.envoyproxy.envoy.service.discovery.v3.AggregatedDiscoveryServiceGrpc;
import io.envoyproxy.envoy.service.discovery.v3.DeltaDiscoveryRequest;
import io.envoyproxy.envoy.service.discovery.v3.DiscoveryRequest;
import io.envoyproxy.envoy.service.endpoint.v3.EndpointDiscoveryServiceGrpc;
import io.envoyproxy.envoy.service.extension.v3.ExtensionConfigDiscoveryServiceGrpc;
import io.envoyproxy.envoy.service.listener.v3.ListenerDiscoveryServiceGrpc;
import io.envoyproxy.envoy.service.route.v3.RouteDiscoveryServiceGrpc;
import io.envoyproxy.envoy.service.secret.v3.SecretDiscoveryServiceGrpc;
import io.grpc.Attributes;
import io.grpc.Metadata;
import io.grpc.MethodDescriptor;
import io.grpc.ServerCall;
import io.grpc.ServerCallExecutorSupplier;
import io.grpc.ServerMethodDefinition;
import io.grpc.ServerServiceDefinition;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Executor;
import java.util.function.BiConsumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * The gRPC services: all types on one stream, and each on its own. The generated stubs tell names
 * and requests; responses are bytes already.
 */
public final class DiscoveryServices {
  /**
   * The thread of a connection, which responses are written on: an attribute of transports. Without
   * it they are written by the loop.
   */
  public static final Attributes.Key<ConnectionThread> CONNECTION_THREAD =
      Attributes.Key.create("dev.holdfast.controlplane.ads.CONNECTION_THREAD");

  private final AdsServer server;
  private final LoopInboxes inboxes;

  private DiscoveryServices(AdsServer server) {
    this.server = server;
    this.inboxes = new LoopInboxes(server.loop());
  }

  /** All of them. */
  public static List<ServerServiceDefinition> of(AdsServer server) {
    return new DiscoveryServices(server).all();
  }

  private List<ServerServiceDefinition> all() {
    return List.of(
        service(
            null,
            AggregatedDiscoveryServiceGrpc.getStreamAggregatedResourcesMethod(),
            AggregatedDiscoveryServiceGrpc.getDeltaAggregatedResourcesMethod()),
        service(
            ResourceType.CLUSTER,
            ClusterDiscoveryServiceGrpc.getStreamClustersMethod(),
            ClusterDiscoveryServiceGrpc.getDeltaClustersMethod()),
        service(
            ResourceType.ENDPOINTS,
            EndpointDiscoveryServiceGrpc.getStreamEndpointsMethod(),
            EndpointDiscoveryServiceGrpc.getDeltaEndpointsMethod()),
        service(
            ResourceType.LISTENER,
            ListenerDiscoveryServiceGrpc.getStreamListenersMethod(),
            ListenerDiscoveryServiceGrpc.getDeltaListenersMethod()),
        service(
            ResourceType.ROUTES,
            RouteDiscoveryServiceGrpc.getStreamRoutesMethod(),
            RouteDiscoveryServiceGrpc.getDeltaRoutesMethod()),
        service(
            ResourceType.SECRET,
            SecretDiscoveryServiceGrpc.getStreamSecretsMethod(),
            SecretDiscoveryServiceGrpc.getDeltaSecretsMethod()),
        service(
            ResourceType.EXTENSION,
            ExtensionConfigDiscoveryServiceGrpc.getStreamExtensionConfigsMethod(),
            ExtensionConfigDiscoveryServiceGrpc.getDeltaExtensionConfigsMethod()));
  }

  /**
   * Where these services are called: at once, on the thread that reads from the network. They do
   * nothing there but read a message and hand it to the loop, and a thousand acknowledgements that
   * come together are spared as many changes of thread. Other services have gRPC's own threads.
   */
  public static ServerCallExecutorSupplier executors() {
    return new ServerCallExecutorSupplier() {
      @Override
      @SuppressWarnings("NullAway") // null is how gRPC is told to go on where it is
      public <Q, R> Executor getExecutor(ServerCall<Q, R> call, Metadata headers) {
        boolean ours =
            call.getMethodDescriptor().getResponseMarshaller() instanceof BytesMarshaller;
        return ours ? Runnable::run : null;
      }
    };
  }

  private ServerServiceDefinition service(
      @Nullable ResourceType only,
      MethodDescriptor<DiscoveryRequest, ?> sotw,
      MethodDescriptor<DeltaDiscoveryRequest, ?> delta) {
    String name = sotw.getServiceName();
    if (name == null) {
      throw new IllegalStateException(sotw.getFullMethodName() + " has no service");
    }
    return ServerServiceDefinition.builder(name)
        .addMethod(
            method(sotw, DiscoveryRequest::getTypeUrl, Protocol.SOTW, only, AdsStream::onSotw))
        .addMethod(
            method(
                delta, DeltaDiscoveryRequest::getTypeUrl, Protocol.DELTA, only, AdsStream::onDelta))
        .build();
  }

  private <M> ServerMethodDefinition<Optional<TypedRequest<M>>, ByteString> method(
      MethodDescriptor<M, ?> method,
      Function<M, String> typeUrl,
      Protocol protocol,
      @Nullable ResourceType only,
      BiConsumer<AdsStream, TypedRequest<M>> onRequest) {
    return ServerMethodDefinition.create(
        method.toBuilder(
                new RequestMarshaller<>(method.getRequestMarshaller(), typeUrl, only),
                new BytesMarshaller())
            .build(),
        (call, headers) -> {
          GrpcStreamCall<TypedRequest<M>> stream =
              new GrpcStreamCall<>(call, server, inboxes, protocol, only, onRequest);
          stream.start();
          return stream;
        });
  }
}
