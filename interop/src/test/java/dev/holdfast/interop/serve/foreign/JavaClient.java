// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.interop.serve.foreign;

import dev.holdfast.testkit.TextMarshaller;
import io.grpc.CallOptions;
import io.grpc.Grpc;
import io.grpc.InsecureChannelCredentials;
import io.grpc.ManagedChannel;
import io.grpc.MethodDescriptor;
import io.grpc.NameResolverRegistry;
import io.grpc.StatusRuntimeException;
import io.grpc.stub.ClientCalls;
import io.grpc.xds.XdsNameResolverProvider;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/** The xDS client of grpc-java, in this process. */
final class JavaClient implements Caller {
  private static final int PATIENCE_SECONDS = 40;

  private final XdsNameResolverProvider resolver;
  private final ManagedChannel channel;

  JavaClient(String host, int xdsPort) {
    this(host, xdsPort, Map.of("type", "insecure"));
  }

  /**
   * @param credentials how it connects to the control plane, as a bootstrap file says it
   */
  JavaClient(String host, int xdsPort, Map<String, ?> credentials) {
    String scheme = "xds-java-" + xdsPort;
    resolver =
        XdsNameResolverProvider.createForTest(
            scheme,
            Map.of(
                "node",
                Map.of("id", "grpc-java"),
                "xds_servers",
                List.of(
                    Map.of(
                        "server_uri",
                        "127.0.0.1:" + xdsPort,
                        "channel_creds",
                        List.of(credentials),
                        "server_features",
                        List.of("xds_v3")))));
    NameResolverRegistry.getDefaultRegistry().register(resolver);
    channel =
        Grpc.newChannelBuilder(scheme + ":///" + host, InsecureChannelCredentials.create()).build();
  }

  @Override
  public String call(String method) {
    MethodDescriptor<String, String> descriptor =
        MethodDescriptor.newBuilder(new TextMarshaller(), new TextMarshaller())
            .setType(MethodDescriptor.MethodType.UNARY)
            .setFullMethodName(method.substring(1))
            .build();
    try {
      return "OK "
          + ClientCalls.blockingUnaryCall(
              channel,
              descriptor,
              CallOptions.DEFAULT.withDeadlineAfter(PATIENCE_SECONDS, TimeUnit.SECONDS),
              "");
    } catch (StatusRuntimeException e) {
      return e.getStatus().getCode() + " " + e.getStatus().getDescription();
    }
  }

  @Override
  public void close() {
    channel.shutdownNow();
    NameResolverRegistry.getDefaultRegistry().deregister(resolver);
  }
}
