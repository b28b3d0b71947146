// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.server.proto;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.Any;
import com.google.protobuf.ByteString;
import com.google.protobuf.Message;
import io.envoyproxy.envoy.config.cluster.v3.Cluster;
import io.envoyproxy.envoy.config.core.v3.DataSource;
import io.envoyproxy.envoy.config.core.v3.TransportSocket;
import io.envoyproxy.envoy.extensions.transport_sockets.tls.v3.CommonTlsContext;
import io.envoyproxy.envoy.extensions.transport_sockets.tls.v3.GenericSecret;
import io.envoyproxy.envoy.extensions.transport_sockets.tls.v3.Secret;
import io.envoyproxy.envoy.extensions.transport_sockets.tls.v3.TlsCertificate;
import io.envoyproxy.envoy.extensions.transport_sockets.tls.v3.TlsSessionTicketKeys;
import io.envoyproxy.envoy.extensions.transport_sockets.tls.v3.UpstreamTlsContext;
import org.junit.jupiter.api.Test;

/** Secrets do not get out, whichever way they are wrapped. */
class RedactionTest {
  private static final String SECRET = "hush";

  @Test
  void keysPasswordsTicketsAndTokensAreTakenOut() {
    assertHidden(
        Secret.newBuilder()
            .setTlsCertificate(
                TlsCertificate.newBuilder()
                    .setPrivateKey(inline())
                    .setPassword(inline())
                    .setCertificateChain(DataSource.newBuilder().setInlineString("chain")))
            .build());
    assertHidden(
        Secret.newBuilder()
            .setSessionTicketKeys(
                TlsSessionTicketKeys.newBuilder().addKeys(inline()).addKeys(inline()))
            .build());
    assertHidden(
        Secret.newBuilder()
            .setGenericSecret(GenericSecret.newBuilder().setSecret(inline()))
            .build());
  }

  @Test
  void bytesAreTakenOutAsTextIs() {
    assertHidden(
        TlsCertificate.newBuilder()
            .setPrivateKey(DataSource.newBuilder().setInlineBytes(ByteString.copyFromUtf8(SECRET)))
            .build());
  }

  @Test
  void whatIsInsideOfAnAnyIsFoundToo() {
    UpstreamTlsContext tls =
        UpstreamTlsContext.newBuilder()
            .setCommonTlsContext(
                CommonTlsContext.newBuilder()
                    .addTlsCertificates(TlsCertificate.newBuilder().setPrivateKey(inline())))
            .build();
    assertHidden(
        Cluster.newBuilder()
            .setTransportSocket(TransportSocket.newBuilder().setTypedConfig(Any.pack(tls)))
            .build());
  }

  @Test
  void theNameOfAFileIsNoSecret() {
    TlsCertificate certificate =
        TlsCertificate.newBuilder()
            .setPrivateKey(DataSource.newBuilder().setFilename("/etc/key.pem"))
            .build();

    assertThat(Redaction.of(certificate)).isEqualTo(certificate);
  }

  @Test
  void whatHoldsNoSecretStaysTheVerySame() {
    Cluster cluster = Cluster.newBuilder().setName("a").build();

    assertThat(Redaction.of(cluster)).isSameAs(cluster);
  }

  @Test
  void whatCannotBeReadIsNotShown() {
    assertThat(
            Redaction.parse(
                "type.googleapis.com/envoy.extensions.transport_sockets.tls.v3.Secret",
                ByteString.copyFromUtf8("\u0001garbage")))
        .isEmpty();
    assertThat(Redaction.parse("type.googleapis.com/no.such.Type", ByteString.EMPTY)).isEmpty();
  }

  private static DataSource inline() {
    return DataSource.newBuilder().setInlineString(SECRET).build();
  }

  private static void assertHidden(Message message) {
    Message shown = Redaction.of(message);

    assertThat(new String(message.toByteArray(), ISO_8859_1)).contains(SECRET);
    assertThat(new String(shown.toByteArray(), ISO_8859_1))
        .doesNotContain(SECRET)
        .contains(Redaction.REDACTED);
  }
}
