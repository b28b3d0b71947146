// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.controlplane.ads.wire;

import com.google.protobuf.ByteString;
import com.google.protobuf.MessageLite;
import dev.holdfast.controlplane.ads.access.ClientNames;
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
import java.util.concurrent.Executor;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;

/**
 * The gRPC services of the control plane: aggregated discovery, and one service per type. Method
 * names and request parsers come from the generated stubs; responses are serialised already.
 */
public final class DiscoveryServices {
  /**
   * Transport attribute: the thread of the connection, which then writes the responses. Without the
   * attribute the loop writes them.
   */
  public static final Attributes.Key<ConnectionThread> CONNECTION_THREAD =
      Attributes.Key.create("dev.holdfast.controlplane.ads.CONNECTION_THREAD");

  /** Transport attribute: the names in the certificate that the client has shown. */
  public static final Attributes.Key<ClientNames> CLIENT_NAMES =
      Attributes.Key.create("dev.holdfast.controlplane.ads.CLIENT_NAMES");

  private final StreamIntake intake;
  private final RequestLimits limits;

  private DiscoveryServices(StreamAcceptor acceptor) {
    this.intake = StreamIntake.of(acceptor);
    this.limits = new RequestLimits(acceptor.limits());
  }

  /** All services, whose streams {@code acceptor} takes. */
  public static List<ServerServiceDefinition> of(StreamAcceptor acceptor) {
    return new DiscoveryServices(acceptor).all();
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
   * Runs these services on the thread that reads from the network: they only parse a message and
   * hand it to the loop, and a thousand simultaneous acknowledgements save as many thread switches.
   * Other services keep gRPC's own threads.
   */
  public static ServerCallExecutorSupplier executors() {
    return new ServerCallExecutorSupplier() {
      @Override
      @SuppressWarnings("NullAway") // null makes gRPC use its default executor
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
            method(sotw, RequestFormat.SOTW, Protocol.SOTW, only, StreamHandler::onSotwRequest))
        .addMethod(
            method(delta, RequestFormat.DELTA, Protocol.DELTA, only, StreamHandler::onDeltaRequest))
        .build();
  }

  private <M extends MessageLite>
      ServerMethodDefinition<ReadRequest<TypedRequest<M>>, ByteString> method(
          MethodDescriptor<M, ?> method,
          RequestFormat<M> format,
          Protocol protocol,
          @Nullable ResourceType only,
          BiConsumer<StreamHandler, TypedRequest<M>> onRequest) {
    return ServerMethodDefinition.create(
        method.toBuilder(
                new RequestMarshaller<>(method.getRequestMarshaller(), format, limits, only),
                new BytesMarshaller())
            .build(),
        (call, headers) -> {
          GrpcStreamCall<TypedRequest<M>> stream =
              new GrpcStreamCall<>(call, intake, protocol, only, onRequest);
          stream.start();
          return stream;
        });
  }
}
