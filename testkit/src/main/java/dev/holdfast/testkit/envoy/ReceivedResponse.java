// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.testkit.envoy;

import com.google.protobuf.Any;
import com.google.protobuf.ByteString;
import com.google.protobuf.Message;
import io.envoyproxy.envoy.service.discovery.v3.DeltaDiscoveryResponse;
import io.envoyproxy.envoy.service.discovery.v3.DiscoveryResponse;
import io.envoyproxy.envoy.service.discovery.v3.Resource;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;

/**
 * A response that a {@link FakeEnvoy} got, and what it made of it.
 *
 * @param type the type URL
 * @param version the response's version
 * @param nonce the response's nonce
 * @param resources what was in it, in order
 * @param removed what it says is gone; Delta only
 * @param outcome taken, rejected or dropped
 * @param reason why it was rejected
 */
public record ReceivedResponse(
    String type,
    String version,
    String nonce,
    List<Entry> resources,
    List<String> removed,
    Outcome outcome,
    String reason) {

  /** What was made of a response. */
  public enum Outcome {
    /** Used, which means no more than that nobody complained. */
    TAKEN,
    /** Answered with an error; some of it may be in use all the same. */
    REJECTED,
    /** Of a type that was not asked for: ignored without an answer. */
    DROPPED,
    /** Arrived at a proxy that hangs. */
    UNREAD
  }

  /**
   * A resource as it was sent.
   *
   * @param name its name
   * @param digest SHA-256 of its bytes
   */
  public record Entry(String name, String digest) {}

  static ReceivedResponse of(Message response) {
    return response instanceof DeltaDiscoveryResponse delta
        ? of(delta)
        : of((DiscoveryResponse) response);
  }

  private static ReceivedResponse of(DiscoveryResponse response) {
    List<Entry> entries = new ArrayList<>();
    for (Any resource : response.getResourcesList()) {
      entries.add(new Entry(Decoder.nameOf(resource), digest(resource.getValue())));
    }
    return new ReceivedResponse(
        response.getTypeUrl(),
        response.getVersionInfo(),
        response.getNonce(),
        List.copyOf(entries),
        List.of(),
        Outcome.UNREAD,
        "");
  }

  private static ReceivedResponse of(DeltaDiscoveryResponse response) {
    List<Entry> entries = new ArrayList<>();
    for (Resource resource : response.getResourcesList()) {
      entries.add(new Entry(resource.getName(), digest(resource.getResource().getValue())));
    }
    return new ReceivedResponse(
        response.getTypeUrl(),
        response.getSystemVersionInfo(),
        response.getNonce(),
        List.copyOf(entries),
        List.copyOf(response.getRemovedResourcesList()),
        Outcome.UNREAD,
        "");
  }

  ReceivedResponse with(Mux.Verdict verdict) {
    Outcome made =
        switch (verdict.kind()) {
          case TAKEN -> Outcome.TAKEN;
          case REJECTED -> Outcome.REJECTED;
          case DROPPED -> Outcome.DROPPED;
        };
    return new ReceivedResponse(type, version, nonce, resources, removed, made, verdict.reason());
  }

  /** SHA-256 of a resource's bytes, as in {@link Entry#digest}. */
  public static String digest(ByteString bytes) {
    try {
      return HexFormat.of()
          .formatHex(MessageDigest.getInstance("SHA-256").digest(bytes.toByteArray()));
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException(e);
    }
  }
}
