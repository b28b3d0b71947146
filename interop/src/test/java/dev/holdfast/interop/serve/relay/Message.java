// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.interop.serve.relay;

import com.google.protobuf.Any;
import com.google.protobuf.ByteString;
import com.google.protobuf.InvalidProtocolBufferException;
import com.google.rpc.Status;
import io.envoyproxy.envoy.service.discovery.v3.DeltaDiscoveryRequest;
import io.envoyproxy.envoy.service.discovery.v3.DeltaDiscoveryResponse;
import io.envoyproxy.envoy.service.discovery.v3.DiscoveryRequest;
import io.envoyproxy.envoy.service.discovery.v3.DiscoveryResponse;
import io.envoyproxy.envoy.service.discovery.v3.Resource;
import java.util.List;

/**
 * What was said on a stream.
 *
 * @param stream a number of its own for each
 * @param fromServer or from Envoy
 * @param type of which resources
 * @param nonce of a response, or of the one that is answered
 * @param error what Envoy does not like, if it does not
 * @param resources what a response brings, each as bytes
 */
public record Message(
    int stream,
    boolean fromServer,
    String type,
    String nonce,
    String error,
    List<ByteString> resources) {

  static Message fromServer(int stream, boolean delta, byte[] bytes) {
    try {
      if (delta) {
        DeltaDiscoveryResponse response = DeltaDiscoveryResponse.parseFrom(bytes);
        return fromServer(
            stream,
            response.getTypeUrl(),
            response.getNonce(),
            response.getResourcesList().stream().map(Resource::getResource).toList());
      }
      DiscoveryResponse response = DiscoveryResponse.parseFrom(bytes);
      return fromServer(
          stream, response.getTypeUrl(), response.getNonce(), response.getResourcesList());
    } catch (InvalidProtocolBufferException e) {
      throw new AssertionError(e);
    }
  }

  private static Message fromServer(int stream, String typeUrl, String nonce, List<Any> resources) {
    return new Message(
        stream,
        true,
        type(typeUrl),
        nonce,
        "",
        resources.stream().map(any -> any.toByteString()).toList());
  }

  static Message fromEnvoy(int stream, boolean delta, byte[] bytes) {
    try {
      if (delta) {
        DeltaDiscoveryRequest request = DeltaDiscoveryRequest.parseFrom(bytes);
        return fromEnvoy(
            stream, request.getTypeUrl(), request.getResponseNonce(), request.getErrorDetail());
      }
      DiscoveryRequest request = DiscoveryRequest.parseFrom(bytes);
      return fromEnvoy(
          stream, request.getTypeUrl(), request.getResponseNonce(), request.getErrorDetail());
    } catch (InvalidProtocolBufferException e) {
      throw new AssertionError(e);
    }
  }

  private static Message fromEnvoy(int stream, String typeUrl, String nonce, Status error) {
    return new Message(stream, false, type(typeUrl), nonce, error.getMessage(), List.of());
  }

  private static String type(String url) {
    return url.substring(url.lastIndexOf('.') + 1);
  }

  /** Whether this says no to a response. */
  boolean refuses(Message response) {
    return !error.isEmpty()
        && response.fromServer
        && stream == response.stream
        && type.equals(response.type)
        && nonce.equals(response.nonce);
  }

  @Override
  public String toString() {
    if (fromServer) {
      return "server: " + resources.size() + " " + type;
    }
    if (nonce.isEmpty()) {
      return "Envoy: asks for " + type;
    }
    return "Envoy: " + (error.isEmpty() ? "takes " + type : "refuses " + type + ": " + error);
  }
}
