// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.cli.compare;

import com.google.protobuf.Any;
import com.google.protobuf.Message;
import io.envoyproxy.envoy.config.cluster.v3.Cluster;
import io.envoyproxy.envoy.config.endpoint.v3.ClusterLoadAssignment;
import io.envoyproxy.envoy.config.listener.v3.Listener;
import io.envoyproxy.envoy.config.route.v3.RouteConfiguration;
import io.envoyproxy.envoy.extensions.transport_sockets.tls.v3.Secret;
import io.envoyproxy.envoy.service.cluster.v3.ClusterDiscoveryServiceGrpc;
import io.envoyproxy.envoy.service.discovery.v3.AggregatedDiscoveryServiceGrpc;
import io.envoyproxy.envoy.service.discovery.v3.DiscoveryRequest;
import io.envoyproxy.envoy.service.discovery.v3.DiscoveryResponse;
import io.envoyproxy.envoy.service.endpoint.v3.EndpointDiscoveryServiceGrpc;
import io.envoyproxy.envoy.service.listener.v3.ListenerDiscoveryServiceGrpc;
import io.envoyproxy.envoy.service.route.v3.RouteDiscoveryServiceGrpc;
import io.envoyproxy.envoy.service.secret.v3.SecretDiscoveryServiceGrpc;
import io.grpc.Grpc;
import io.grpc.MethodDescriptor;
import io.grpc.Server;
import io.grpc.ServerCredentials;
import io.grpc.ServerServiceDefinition;
import io.grpc.stub.ServerCalls;
import io.grpc.stub.StreamObserver;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/**
 * An xDS server with fixed resources. Like Contour, it has a SotW service for each type, answers a
 * request once, and is silent after an ACK; or it has ADS and nothing else.
 */
final class ScriptedXdsServer implements AutoCloseable {
  private final List<Message> resources;
  private final Server server;

  private ScriptedXdsServer(List<Message> resources, boolean isAds, ServerCredentials credentials)
      throws IOException {
    this.resources = List.copyOf(resources);
    var builder = Grpc.newServerBuilderForPort(0, credentials);
    if (isAds) {
      builder.addService(
          service(AggregatedDiscoveryServiceGrpc.getStreamAggregatedResourcesMethod()));
    } else {
      builder
          .addService(service(ListenerDiscoveryServiceGrpc.getStreamListenersMethod()))
          .addService(service(RouteDiscoveryServiceGrpc.getStreamRoutesMethod()))
          .addService(service(ClusterDiscoveryServiceGrpc.getStreamClustersMethod()))
          .addService(service(EndpointDiscoveryServiceGrpc.getStreamEndpointsMethod()))
          .addService(service(SecretDiscoveryServiceGrpc.getStreamSecretsMethod()));
    }
    server = builder.build().start();
  }

  static ScriptedXdsServer start(
      List<Message> resources, boolean isAds, ServerCredentials credentials) throws IOException {
    return new ScriptedXdsServer(resources, isAds, credentials);
  }

  String address() {
    return "localhost:" + server.getPort();
  }

  private ServerServiceDefinition service(
      MethodDescriptor<DiscoveryRequest, DiscoveryResponse> method) {
    return ServerServiceDefinition.builder(String.valueOf(method.getServiceName()))
        .addMethod(method, ServerCalls.asyncBidiStreamingCall(this::stream))
        .build();
  }

  private StreamObserver<DiscoveryRequest> stream(StreamObserver<DiscoveryResponse> responses) {
    return new StreamObserver<>() {
      @Override
      public void onNext(DiscoveryRequest request) {
        if (request.getResponseNonce().isEmpty()) {
          responses.onNext(answer(request));
        }
      }

      @Override
      public void onError(Throwable e) {}

      @Override
      public void onCompleted() {
        responses.onCompleted();
      }
    };
  }

  private DiscoveryResponse answer(DiscoveryRequest request) {
    List<Any> found = new ArrayList<>();
    for (Message each : resources) {
      Any packed = Any.pack(each);
      boolean isAsked =
          request.getResourceNamesCount() == 0
              || request.getResourceNamesList().contains(name(each));
      if (packed.getTypeUrl().equals(request.getTypeUrl()) && isAsked) {
        found.add(packed);
      }
    }
    return DiscoveryResponse.newBuilder()
        .setTypeUrl(request.getTypeUrl())
        .setVersionInfo("1")
        .setNonce("1")
        .addAllResources(found)
        .build();
  }

  private static String name(Message resource) {
    if (resource instanceof Listener listener) {
      return listener.getName();
    } else if (resource instanceof RouteConfiguration table) {
      return table.getName();
    } else if (resource instanceof Cluster cluster) {
      return cluster.getName();
    } else if (resource instanceof ClusterLoadAssignment assignment) {
      return assignment.getClusterName();
    }
    return ((Secret) resource).getName();
  }

  @Override
  public void close() {
    server.shutdownNow();
  }
}
