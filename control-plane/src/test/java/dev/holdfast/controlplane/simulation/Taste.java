// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.controlplane.simulation;

import com.google.protobuf.Any;
import com.google.protobuf.ByteString;
import com.google.protobuf.InvalidProtocolBufferException;
import com.google.protobuf.Message;
import dev.holdfast.testkit.TypeUrls;
import dev.holdfast.testkit.envoy.Validator;
import io.envoyproxy.envoy.config.cluster.v3.Cluster;
import io.envoyproxy.envoy.extensions.transport_sockets.tls.v3.Secret;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** What the proxies of one class refuse. */
final class Taste implements Validator {
  final String group;
  private final boolean talkative;
  private final List<Flaw> minds = new ArrayList<>();

  /**
   * @param talkative whether what is said of a refusal tells what it was about
   */
  Taste(String group, boolean talkative) {
    this.group = group;
    this.talkative = talkative;
    for (Flaw flaw : Flaw.REAL) {
      if (flaw.matters(Set.of(group))) {
        minds.add(flaw);
      }
    }
  }

  /** The taste of a proxy that also minds what nobody else of its class does. */
  static Taste odd(String group, boolean talkative) {
    Taste taste = new Taste(group, talkative);
    taste.minds.add(Flaw.FOR_ODD);
    return taste;
  }

  @Override
  public @Nullable String check(Message resource) {
    for (Flaw flaw : minds) {
      if (has(resource, flaw)) {
        return talkative ? "no good: " + flaw.text() : "no good";
      }
    }
    return null;
  }

  /** Whether a proxy dies of a resource. */
  static boolean isDeadly(Message resource) {
    return has(resource, Flaw.DEADLY);
  }

  /** Whether a resource is refused, as it goes over the wire. */
  boolean refuses(Any resource) {
    try {
      if (resource.getTypeUrl().equals(TypeUrls.CLUSTER)) {
        return check(Cluster.parseFrom(resource.getValue())) != null;
      }
      if (resource.getTypeUrl().equals(TypeUrls.SECRET)) {
        return check(Secret.parseFrom(resource.getValue())) != null;
      }
      return minds.stream().anyMatch(flaw -> contains(resource.getValue(), flaw));
    } catch (InvalidProtocolBufferException e) {
      throw new AssertionError(e);
    }
  }

  private static boolean has(Message resource, Flaw flaw) {
    if (resource instanceof Secret secret) {
      return Certificates.has(secret.getTlsCertificate().getCertificateChain(), flaw);
    }
    if (resource instanceof Cluster cluster
        && cluster.getCircuitBreakers().getThresholdsList().stream()
            .anyMatch(limit -> limit.getMaxConnections().getValue() == flaw.number())) {
      return true;
    }
    return contains(resource.toByteString(), flaw);
  }

  private static boolean contains(ByteString bytes, Flaw flaw) {
    return bytes.toString(StandardCharsets.ISO_8859_1).contains(flaw.text());
  }
}
