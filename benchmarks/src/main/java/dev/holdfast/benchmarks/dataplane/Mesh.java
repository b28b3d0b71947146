// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.benchmarks.dataplane;

import io.grpc.CallOptions;
import io.grpc.InternalConfigSelector;
import io.grpc.ManagedChannel;
import io.grpc.MethodDescriptor;
import io.grpc.NameResolverRegistry;
import io.grpc.stub.ClientCalls;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/** A backend, an xDS server and a channel of one side, which has its configuration. */
final class Mesh implements AutoCloseable {
  private static final byte[] REQUEST = new byte[64];

  private final List<Backend> backends;
  private final MeshServer server;
  private final SelectorCapture capture;
  private final ManagedChannel channel;
  private final MethodDescriptor<byte[], byte[]> last;

  /**
   * @see MeshResources#serve
   */
  Mesh(DataPlane side, MeshVariant variant, int hosts, int routes, int clusters) {
    backends = Backend.of(variant);
    server = MeshResources.serve(variant, hosts, routes, clusters, ports());
    Map<String, String> files = MeshCertificates.files();
    capture = new SelectorCapture("measured" + server.port(), side.resolver(server, files));
    NameResolverRegistry.getDefaultRegistry().register(capture);
    channel = side.channel(capture.getDefaultScheme(), server, files).build();
    last = Backend.method(MeshResources.service(routes - 1) + "/Method");
    call();
  }

  private int[] ports() {
    return backends.stream().mapToInt(Backend::port).toArray();
  }

  /** The method that the last route is for. */
  MethodDescriptor<byte[], byte[]> lastMethod() {
    return last;
  }

  ManagedChannel channel() {
    return channel;
  }

  InternalConfigSelector selector() {
    return capture.selector();
  }

  static byte[] request() {
    return REQUEST.clone();
  }

  /** One call; throws if it fails. */
  void call() {
    ClientCalls.blockingUnaryCall(
        channel, last, CallOptions.DEFAULT.withDeadlineAfter(60, TimeUnit.SECONDS), request());
  }

  /** Gives the endpoint of a cluster another weight; returns when the client has accepted that. */
  void reweigh(int cluster, int weight) {
    server.change(
        MeshResources.cluster(cluster), MeshResources.endpoints(cluster, weight, ports()));
  }

  @Override
  public void close() {
    NameResolverRegistry.getDefaultRegistry().deregister(capture);
    channel.shutdownNow();
    try {
      channel.awaitTermination(10, TimeUnit.SECONDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    server.close();
    backends.forEach(Backend::close);
  }
}
