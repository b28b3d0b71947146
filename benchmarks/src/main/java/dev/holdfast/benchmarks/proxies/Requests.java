// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.benchmarks.proxies;

import com.google.rpc.Code;
import com.google.rpc.Status;
import dev.holdfast.benchmarks.client.Protocol;
import io.envoyproxy.envoy.config.core.v3.Node;
import io.envoyproxy.envoy.service.discovery.v3.DeltaDiscoveryRequest;
import io.envoyproxy.envoy.service.discovery.v3.DiscoveryRequest;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Requests as bytes. */
final class Requests {
  private static final String SERVICE = "/envoy.service.discovery.v3.AggregatedDiscoveryService/";

  private Requests() {}

  static String path(Protocol protocol) {
    return SERVICE
        + switch (protocol) {
          case SOTW -> "StreamAggregatedResources";
          case DELTA -> "DeltaAggregatedResources";
        };
  }

  /** The first of a type; says who asks. */
  static byte[] first(Protocol protocol, String id, Subscription ask) {
    Node node =
        Node.newBuilder().setId(id).setCluster("benchmark").setUserAgentName("envoy").build();
    return switch (protocol) {
      case SOTW ->
          DiscoveryRequest.newBuilder()
              .setNode(node)
              .setTypeUrl(ask.typeUrl())
              .addAllResourceNames(ask.names())
              .build()
              .toByteArray();
      case DELTA ->
          DeltaDiscoveryRequest.newBuilder()
              .setNode(node)
              .setTypeUrl(ask.typeUrl())
              .addAllResourceNamesSubscribe(ask.names())
              .build()
              .toByteArray();
    };
  }

  /**
   * An answer.
   *
   * @param names all that are asked for: SotW says them each time
   * @param accepted the version to go on with
   * @param error null to accept
   */
  static byte[] answer(
      Protocol protocol,
      ReceivedResponse response,
      List<String> names,
      String accepted,
      @Nullable String error) {
    return switch (protocol) {
      case SOTW -> {
        DiscoveryRequest.Builder request =
            DiscoveryRequest.newBuilder()
                .setTypeUrl(response.typeUrl())
                .addAllResourceNames(names)
                .setVersionInfo(accepted)
                .setResponseNonce(response.nonce());
        if (error != null) {
          request.setErrorDetail(status(error));
        }
        yield request.build().toByteArray();
      }
      case DELTA -> {
        DeltaDiscoveryRequest.Builder request =
            DeltaDiscoveryRequest.newBuilder()
                .setTypeUrl(response.typeUrl())
                .setResponseNonce(response.nonce());
        if (error != null) {
          request.setErrorDetail(status(error));
        }
        yield request.build().toByteArray();
      }
    };
  }

  private static Status status(String error) {
    return Status.newBuilder().setCode(Code.INTERNAL_VALUE).setMessage(error).build();
  }
}
