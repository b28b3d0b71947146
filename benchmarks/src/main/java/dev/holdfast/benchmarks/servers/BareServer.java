// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.benchmarks.servers;

import com.google.protobuf.Any;
import dev.holdfast.benchmarks.client.Kind;
import io.envoyproxy.envoy.config.cluster.v3.Cluster;
import io.envoyproxy.envoy.service.discovery.v3.AggregatedDiscoveryServiceGrpc;
import io.envoyproxy.envoy.service.discovery.v3.DeltaDiscoveryResponse;
import io.envoyproxy.envoy.service.discovery.v3.DiscoveryResponse;
import io.envoyproxy.envoy.service.discovery.v3.Resource;
import io.grpc.Metadata;
import io.grpc.MethodDescriptor;
import io.grpc.ServerCall;
import io.grpc.ServerCallHandler;
import io.grpc.ServerServiceDefinition;
import java.io.ByteArrayInputStream;
import java.io.InputStream;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

/**
 * No server at all: sends the same bytes, which it made once, to every stream, and does not look at
 * what comes back. What the others need beyond this is theirs.
 */
final class BareServer implements ServerUnderTest {
  private final List<Cluster> clusters;
  private final List<ServerCall<byte[], byte[]>> sotw = new CopyOnWriteArrayList<>();
  private final List<ServerCall<byte[], byte[]>> delta = new CopyOnWriteArrayList<>();

  BareServer(int count) {
    clusters = new ArrayList<>(Clusters.of(count));
  }

  @Override
  public List<ServerServiceDefinition> services() {
    return List.of(
        ServerServiceDefinition.builder(AggregatedDiscoveryServiceGrpc.SERVICE_NAME)
            .addMethod(
                raw(AggregatedDiscoveryServiceGrpc.getStreamAggregatedResourcesMethod()),
                handler(sotw, sotw(clusters)))
            .addMethod(
                raw(AggregatedDiscoveryServiceGrpc.getDeltaAggregatedResourcesMethod()),
                handler(delta, delta(clusters)))
            .build());
  }

  @Override
  public Port listen() {
    return Port.direct(services());
  }

  private static MethodDescriptor<byte[], byte[]> raw(MethodDescriptor<?, ?> method) {
    return method.toBuilder(new Bytes(), new Bytes()).build();
  }

  private static ServerCallHandler<byte[], byte[]> handler(
      List<ServerCall<byte[], byte[]>> calls, byte[] first) {
    return (call, headers) -> {
      calls.add(call);
      call.sendHeaders(new Metadata());
      call.sendMessage(first);
      call.request(1);
      return new ServerCall.Listener<>() {
        @Override
        public void onMessage(byte[] message) {
          call.request(1);
        }
      };
    };
  }

  @Override
  public void change(int number) {
    int index = Clusters.index(number, clusters.size());
    clusters.set(index, Clusters.cluster(index, number));
    if (!sotw.isEmpty()) {
      byte[] everything = sotw(clusters);
      sotw.forEach(call -> call.sendMessage(everything));
    }
    byte[] one = delta(List.of(clusters.get(index)));
    delta.forEach(call -> call.sendMessage(one));
  }

  private static byte[] sotw(List<Cluster> clusters) {
    DiscoveryResponse.Builder response =
        DiscoveryResponse.newBuilder()
            .setTypeUrl(Kind.CLUSTER.typeUrl())
            .setVersionInfo("1")
            .setNonce("1");
    clusters.forEach(cluster -> response.addResources(Any.pack(cluster)));
    return response.build().toByteArray();
  }

  private static byte[] delta(List<Cluster> clusters) {
    DeltaDiscoveryResponse.Builder response =
        DeltaDiscoveryResponse.newBuilder().setTypeUrl(Kind.CLUSTER.typeUrl()).setNonce("1");
    for (Cluster cluster : clusters) {
      response.addResources(
          Resource.newBuilder()
              .setName(cluster.getName())
              .setVersion("1")
              .setResource(Any.pack(cluster)));
    }
    return response.build().toByteArray();
  }

  @Override
  public void close() {}

  /** Messages that nobody reads. */
  private static final class Bytes implements MethodDescriptor.Marshaller<byte[]> {
    @Override
    public InputStream stream(byte[] value) {
      return new ByteArrayInputStream(value);
    }

    @Override
    public byte[] parse(InputStream stream) {
      return new byte[0];
    }
  }
}
