// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.controlplane.ads.wire;

import com.google.protobuf.ByteString;
import com.google.protobuf.Struct;
import com.google.protobuf.Value;
import com.google.rpc.Status;
import io.envoyproxy.envoy.config.core.v3.Node;
import io.envoyproxy.envoy.service.discovery.v3.DeltaDiscoveryRequest;
import io.envoyproxy.envoy.service.discovery.v3.DiscoveryRequest;
import java.util.function.IntFunction;
import org.jspecify.annotations.Nullable;

/**
 * Checks single requests on the thread that has read them, and drops what nobody reads, so that the
 * loop never sees, nor keeps, a text that is too long.
 */
final class RequestLimits {
  /** Of UTF-8, for each character. */
  private static final int MOST_BYTES = 4;

  private final AdsLimits limits;

  RequestLimits(AdsLimits limits) {
    this.limits = limits;
  }

  /** Why a request is refused; null if it is not. */
  @Nullable Refusal check(DiscoveryRequest request) {
    Refusal node = node(request.getNode());
    return node == null
        ? names(request.getResourceNamesCount(), request::getResourceNamesBytes)
        : node;
  }

  /** Why a request is refused; null if it is not. */
  @Nullable Refusal check(DeltaDiscoveryRequest request) {
    Refusal refusal = node(request.getNode());
    if (refusal == null) {
      refusal =
          names(request.getResourceNamesSubscribeCount(), request::getResourceNamesSubscribeBytes);
    }
    if (refusal == null) {
      refusal =
          names(
              request.getResourceNamesUnsubscribeCount(),
              request::getResourceNamesUnsubscribeBytes);
    }
    return refusal == null ? versionsOf(request.getInitialResourceVersionsCount()) : refusal;
  }

  /** Why so many versions are refused; null if they are not. */
  @Nullable Refusal versionsOf(int count) {
    return count > limits.versions()
        ? Refusal.tooMuch(count + " initial resource versions", "versions", limits.versions())
        : null;
  }

  private @Nullable Refusal node(Node node) {
    if (node.getIdBytes().size() > limits.nodeId()) {
      return Refusal.tooLong("the node id", node.getIdBytes().size(), "nodeId", limits.nodeId());
    }
    int agent =
        Math.max(
            Math.max(node.getClusterBytes().size(), node.getUserAgentNameBytes().size()),
            Math.max(
                node.getUserAgentVersionBytes().size(),
                Math.max(
                    bytes(node.getMetadata(), "holdfast_group"),
                    bytes(node.getUserAgentBuildVersion().getMetadata(), "build.label"))));
    if (agent > limits.agent()) {
      return Refusal.tooLong("a text that says who the node is", agent, "agent", limits.agent());
    }
    return nodeOf(node.getSerializedSize());
  }

  /** Why a node of so many bytes is refused; null if it is not. */
  @Nullable Refusal nodeOf(int bytes) {
    return bytes > limits.node()
        ? Refusal.tooLong("the node, with metadata and extensions,", bytes, "node", limits.node())
        : null;
  }

  private static int bytes(Struct metadata, String key) {
    return metadata
        .getFieldsOrDefault(key, Value.getDefaultInstance())
        .getStringValueBytes()
        .size();
  }

  private @Nullable Refusal names(int count, IntFunction<ByteString> names) {
    Refusal refusal = namesOf(count, 0);
    for (int i = 0; i < count && refusal == null; i++) {
      refusal = namesOf(count, names.apply(i).size());
    }
    return refusal;
  }

  /**
   * Why names are refused; null if they are not.
   *
   * @param count how many there are
   * @param bytes how long one of them is
   */
  @Nullable Refusal namesOf(int count, int bytes) {
    if (count > limits.names()) {
      return Refusal.tooMuch(count + " resource names", "names", limits.names());
    }
    return bytes > limits.nameLength()
        ? Refusal.tooLong("a resource name", bytes, "nameLength", limits.nameLength())
        : null;
  }

  /** The request without what nobody reads. */
  DiscoveryRequest trim(DiscoveryRequest request) {
    return request.hasErrorDetail() && isLong(request.getErrorDetail())
        ? request.toBuilder().setErrorDetail(cut(request.getErrorDetail())).build()
        : request;
  }

  /** The request without what nobody reads. */
  DeltaDiscoveryRequest trim(DeltaDiscoveryRequest request) {
    return request.hasErrorDetail() && isLong(request.getErrorDetail())
        ? request.toBuilder().setErrorDetail(cut(request.getErrorDetail())).build()
        : request;
  }

  private boolean isLong(Status error) {
    return error.getSerializedSize() > limits.errorText();
  }

  private Status cut(Status error) {
    ByteString text = error.getMessageBytes();
    int most = Math.min(text.size(), errorBytes());
    return Status.newBuilder()
        .setCode(error.getCode())
        .setMessage(cut(text.substring(0, most)))
        .build();
  }

  /** How many bytes of an error text have all characters that are read. */
  int errorBytes() {
    return limits.errorText() * MOST_BYTES;
  }

  /** The characters of an error text that are read. */
  String cut(ByteString text) {
    String cut = text.toStringUtf8();
    int length = Math.min(cut.length(), limits.errorText());
    boolean isHalf = length > 0 && Character.isHighSurrogate(cut.charAt(length - 1));
    return cut.substring(0, isHalf ? length - 1 : length);
  }
}
