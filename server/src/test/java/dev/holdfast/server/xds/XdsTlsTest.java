// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.server.xds;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.base.SystemTime;
import dev.holdfast.base.tls.PemTls;
import dev.holdfast.server.options.ListenAddress;
import dev.holdfast.server.options.XdsSecurity;
import dev.holdfast.server.tls.TlsFiles;
import dev.holdfast.testkit.TestCa;
import io.envoyproxy.envoy.service.status.v3.ClientStatusDiscoveryServiceGrpc;
import io.envoyproxy.envoy.service.status.v3.ClientStatusRequest;
import io.envoyproxy.envoy.service.status.v3.ClientStatusResponse;
import io.grpc.ChannelCredentials;
import io.grpc.Grpc;
import io.grpc.InsecureChannelCredentials;
import io.grpc.ManagedChannel;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import io.grpc.TlsChannelCredentials;
import io.grpc.stub.StreamObserver;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Who may connect to a port with mTLS, and what is told of the others. */
@SuppressWarnings("NullAway.Init") // set before each test
@Timeout(60) // its waits have no other end
class XdsTlsTest {
  private final TestCa ca = TestCa.create("ours");
  private XdsSecurityState security;
  private XdsServer server;

  @TempDir Path directory;

  @BeforeEach
  void start() throws Exception {
    ca.writeTo(directory);
    ca.issue("server").writeTo(directory);
    Files.writeString(directory.resolve("crl.pem"), ca.revocationListPem());
    security =
        XdsSecurityState.open(
            new XdsSecurity(
                new TlsFiles(
                    directory.resolve("cert.pem"),
                    directory.resolve("key.pem"),
                    directory.resolve("ca.pem"),
                    directory.resolve("crl.pem"))),
            SystemTime.instance());
    server =
        XdsServer.start(
            new ListenAddress("127.0.0.1", 0),
            security.credentials(),
            List.of(new Answering()),
            1 << 20);
  }

  @AfterEach
  void stop() {
    server.close();
    security.close();
  }

  private static final class Answering
      extends ClientStatusDiscoveryServiceGrpc.ClientStatusDiscoveryServiceImplBase {
    @Override
    public void fetchClientStatus(
        ClientStatusRequest request, StreamObserver<ClientStatusResponse> response) {
      response.onNext(ClientStatusResponse.getDefaultInstance());
      response.onCompleted();
    }

    @Override
    public StreamObserver<ClientStatusRequest> streamClientStatus(
        StreamObserver<ClientStatusResponse> response) {
      return new StreamObserver<>() {
        @Override
        public void onNext(ClientStatusRequest request) {}

        @Override
        public void onError(Throwable error) {}

        @Override
        public void onCompleted() {}
      };
    }
  }

  private static StreamObserver<ClientStatusResponse> untilEnd(
      CompletableFuture<Status.Code> ended) {
    return new StreamObserver<>() {
      @Override
      public void onNext(ClientStatusResponse response) {}

      @Override
      public void onError(Throwable error) {
        ended.complete(Status.fromThrowable(error).getCode());
      }

      @Override
      public void onCompleted() {
        ended.complete(Status.Code.OK);
      }
    };
  }

  /** Whether a client is answered. */
  private boolean isServed(ChannelCredentials credentials) {
    ManagedChannel channel =
        Grpc.newChannelBuilder("localhost:" + server.address().port(), credentials).build();
    try {
      ClientStatusDiscoveryServiceGrpc.newBlockingStub(channel)
          .withDeadlineAfter(20, TimeUnit.SECONDS)
          .fetchClientStatus(ClientStatusRequest.getDefaultInstance());
      return true;
    } catch (StatusRuntimeException e) {
      return false;
    } finally {
      channel.shutdownNow();
    }
  }

  private ChannelCredentials client(TestCa trusted, TestCa.@Nullable Identity own)
      throws Exception {
    TlsChannelCredentials.Builder builder =
        TlsChannelCredentials.newBuilder()
            .trustManager(PemTls.trust(bytes(trusted.certificatePem())));
    if (own != null) {
      builder.keyManager(PemTls.keys(bytes(own.certificatePem()), bytes(own.privateKeyPem())));
    }
    return builder.build();
  }

  private static byte[] bytes(String text) {
    return text.getBytes(StandardCharsets.US_ASCII);
  }

  /** The server learns from an alert that its certificate was refused: soon, not at once. */
  private void awaitRefused(String... reasons) throws InterruptedException {
    while (refused().size() < reasons.length) {
      Thread.sleep(10);
    }
    assertThat(refused()).containsOnlyKeys(reasons);
  }

  private Map<String, Long> refused() {
    return security.report().refused();
  }

  @Test
  void aClientOfTheAuthorityIsServed() throws Exception {
    assertThat(isServed(client(ca, ca.issueFor("envoy", "spiffe://test/envoy")))).isTrue();
    assertThat(refused()).isEmpty();
  }

  @Test
  void everyOtherClientIsRefusedAndCounted() throws Exception {
    // Of the same name: a client shows no certificate of an authority that was not asked for.
    TestCa foreign = TestCa.create("ours");

    assertThat(isServed(client(ca, foreign.issue("envoy")))).isFalse();
    awaitRefused("untrusted");

    assertThat(isServed(client(ca, ca.issueExpired("envoy")))).isFalse();
    awaitRefused("expired", "untrusted");

    assertThat(isServed(client(ca, null))).isFalse();
    awaitRefused("expired", "noCertificate", "untrusted");

    assertThat(isServed(InsecureChannelCredentials.create())).isFalse();
    awaitRefused("expired", "noCertificate", "plaintext", "untrusted");

    assertThat(isServed(client(foreign, ca.issue("envoy")))).isFalse();
    awaitRefused("expired", "noCertificate", "plaintext", "rejectedServer", "untrusted");
  }

  @Test
  void aClientThatIsRevokedWhileItIsConnectedIsDisconnected() throws Exception {
    TestCa.Identity identity = ca.issueFor("envoy", "spiffe://test/envoy");
    ManagedChannel channel =
        Grpc.newChannelBuilder("localhost:" + server.address().port(), client(ca, identity))
            .build();
    try {
      ClientStatusDiscoveryServiceGrpc.ClientStatusDiscoveryServiceBlockingStub stub =
          ClientStatusDiscoveryServiceGrpc.newBlockingStub(channel);
      assertThat(stub.fetchClientStatus(ClientStatusRequest.getDefaultInstance())).isNotNull();
      CompletableFuture<Status.Code> ended = new CompletableFuture<>();
      StreamObserver<ClientStatusRequest> unused =
          ClientStatusDiscoveryServiceGrpc.newStub(channel).streamClientStatus(untilEnd(ended));

      Files.writeString(directory.resolve("crl.pem"), ca.revocationListPem(identity));
      while (refused().isEmpty()) {
        Thread.sleep(20);
      }

      assertThat(refused()).containsOnlyKeys("revoked");
      assertThat(ended.get(20, TimeUnit.SECONDS)).isEqualTo(Status.Code.UNAVAILABLE);
      assertThat(isServed(client(ca, identity))).isFalse();
      assertThat(refused().get("revoked")).isGreaterThanOrEqualTo(2);
      assertThat(isServed(client(ca, ca.issue("another")))).isTrue();
    } finally {
      channel.shutdownNow();
    }
  }
}
