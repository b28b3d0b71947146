// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.grpc.transport;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.base.Env;
import dev.holdfast.testkit.FakeAdsServer;
import dev.holdfast.testkit.TestCa;
import dev.holdfast.xds.client.Credentials;
import dev.holdfast.xds.client.ServerConfig;
import dev.holdfast.xds.client.transport.AdsProtocol;
import dev.holdfast.xds.client.transport.XdsTransport;
import io.grpc.Metadata;
import io.grpc.ServerCall;
import io.grpc.ServerCallHandler;
import io.grpc.ServerInterceptor;
import io.grpc.Status;
import io.grpc.TlsServerCredentials;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Call credentials on real streams. */
class CallSecurityTest {
  /** Ends in 2100. */
  private static final String TOKEN = "e30.eyJleHAiOiA0MTAyNDQ0ODAwfQ.c2ln";

  private final TestCa ca = TestCa.create("ours");
  private final Events events = new Events();
  private final LinkedBlockingQueue<String> shown = new LinkedBlockingQueue<>();

  @TempDir Path files;

  private ServerConfig server(FakeAdsServer server, Credentials credentials) throws IOException {
    Path token = files.resolve("token.jwt");
    Files.writeString(token, TOKEN);
    return new ServerConfig(
        server.uri(),
        credentials,
        List.of(new Credentials("jwt_token_file", Map.of("jwt_token_file", token.toString()))),
        Set.of());
  }

  @Test
  void streamsOverTlsShowTheToken() throws Exception {
    TestCa.Identity identity = ca.issue("server");
    ca.writeTo(files);
    try (FakeAdsServer server =
        FakeAdsServer.start(
            TlsServerCredentials.create(
                stream(identity.certificatePem()), stream(identity.privateKeyPem())),
            builder -> builder.intercept(new Listening()))) {
      Credentials tls =
          new Credentials("tls", Map.of("ca_certificate_file", files.resolve("ca.pem").toString()));
      XdsTransport transport =
          GrpcTransportFactory.create(Env.system()).create(server(server, tls), events);
      transport.open(AdsProtocol.SOTW, events);
      assertThat(shown.poll(60, TimeUnit.SECONDS)).isEqualTo("Bearer " + TOKEN);
      transport.close();
    }
  }

  @Test
  void streamsWithoutEncryptionFailBeforeTheTokenIsSent() throws Exception {
    try (FakeAdsServer server =
        FakeAdsServer.start(builder -> builder.intercept(new Listening()))) {
      XdsTransport transport =
          GrpcTransportFactory.create(Env.system())
              .create(server(server, Credentials.insecure()), events);
      transport.open(AdsProtocol.SOTW, events);
      Status status = events.awaitClosed();
      assertThat(status.getCode()).isEqualTo(Status.Code.UNAUTHENTICATED);
      assertThat(status.getDescription()).contains("a token is not sent without encryption");
      assertThat(shown).isEmpty();
      transport.close();
    }
  }

  private static InputStream stream(String text) {
    return new ByteArrayInputStream(text.getBytes(StandardCharsets.US_ASCII));
  }

  /** Notes what each stream shows. */
  private final class Listening implements ServerInterceptor {
    @Override
    public <Q, R> ServerCall.Listener<Q> interceptCall(
        ServerCall<Q, R> call, Metadata headers, ServerCallHandler<Q, R> next) {
      shown.add(
          String.valueOf(
              headers.get(Metadata.Key.of("authorization", Metadata.ASCII_STRING_MARSHALLER))));
      return next.startCall(call, headers);
    }
  }
}
