// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.cli.xds;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.ByteString;
import dev.holdfast.base.Decoded;
import dev.holdfast.base.Problem;
import dev.holdfast.xds.client.Completeness;
import dev.holdfast.xds.client.ResourceType;
import dev.holdfast.xds.client.ServerConfig;
import io.envoyproxy.envoy.config.cluster.v3.Cluster;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class RawResourceTypeTest {
  private static final ServerConfig SERVER = ServerConfig.insecure("a:1");
  private static final Cluster GOOD = Cluster.newBuilder().setName("good").build();

  private final RawResourceType type =
      new RawResourceType(new Judge(), Cluster.getDefaultInstance());

  @Test
  void aResourceThatTheRealDecoderAcceptsIsKeptAsItWasSent() {
    assertThat(type.decode(GOOD.toByteString(), SERVER)).isEqualTo(Decoded.valid("good", GOOD));
  }

  @Test
  void aResourceThatTheRealDecoderRefusesIsRefusedInItsWords() {
    Cluster bad = Cluster.newBuilder().setName("bad").build();

    assertThat(type.decode(bad.toByteString(), SERVER))
        .isEqualTo(Decoded.invalid("bad", List.of(Judge.PROBLEM)));
  }

  @Test
  void aChangeThatTheRealDecoderDoesNotLookAtIsAChange() {
    Cluster other = GOOD.toBuilder().setAltStatName("other").build();

    assertThat(type.decode(GOOD.toByteString(), SERVER))
        .isNotEqualTo(type.decode(other.toByteString(), SERVER));
  }

  @Test
  void everythingElseIsTheRealTypes() {
    assertThat(type.typeUrl()).isEqualTo("type.googleapis.com/envoy.config.cluster.v3.Cluster");
    assertThat(type.shortName()).isEqualTo("CDS");
    assertThat(type.completeness()).isEqualTo(Completeness.FULL);
    assertThat(type.peekName(ByteString.EMPTY)).isEqualTo("peeked");
  }

  private static final class Judge implements ResourceType<String> {
    static final Problem PROBLEM = new Problem("name", Problem.Kind.INVALID, "bad");

    @Override
    public String typeUrl() {
      return "type.googleapis.com/envoy.config.cluster.v3.Cluster";
    }

    @Override
    public String shortName() {
      return "CDS";
    }

    @Override
    public Completeness completeness() {
      return Completeness.FULL;
    }

    @Override
    public @Nullable String peekName(ByteString serialized) {
      return "peeked";
    }

    @Override
    public Decoded<String> decode(ByteString serialized, ServerConfig server) {
      return serialized.equals(GOOD.toByteString())
          ? Decoded.valid("good", "always the same")
          : Decoded.invalid("bad", List.of(PROBLEM));
    }
  }
}
