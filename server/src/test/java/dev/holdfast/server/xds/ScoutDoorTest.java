// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.server.xds;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.holdfast.controlplane.ads.access.AccessPolicy;
import dev.holdfast.controlplane.ads.access.ClientNames;
import dev.holdfast.controlplane.ads.wire.DiscoveryServices;
import dev.holdfast.server.envoy.EnvoyBootstrap;
import dev.holdfast.server.options.ListenAddress;
import io.envoyproxy.envoy.config.core.v3.Node;
import io.grpc.CallOptions;
import io.grpc.Grpc;
import io.grpc.InsecureChannelCredentials;
import io.grpc.ManagedChannel;
import io.grpc.Metadata;
import io.grpc.MethodDescriptor;
import io.grpc.ServerCall;
import io.grpc.ServerServiceDefinition;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import io.grpc.stub.ClientCalls;
import io.grpc.stub.MetadataUtils;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Only those who know the secret come in, and they are scouts, whatever they say. */
class ScoutDoorTest {
  private static final MethodDescriptor.Marshaller<String> TEXT =
      new MethodDescriptor.Marshaller<>() {
        @Override
        public InputStream stream(String value) {
          return new ByteArrayInputStream(value.getBytes(UTF_8));
        }

        @Override
        public String parse(InputStream stream) {
          try {
            return new String(stream.readAllBytes(), UTF_8);
          } catch (IOException e) {
            throw new UncheckedIOException(e);
          }
        }
      };

  private static final MethodDescriptor<String, String> WHO =
      MethodDescriptor.<String, String>newBuilder(TEXT, TEXT)
          .setType(MethodDescriptor.MethodType.UNARY)
          .setFullMethodName("test.Who/Am")
          .build();

  private final ScoutDoor door = new ScoutDoor();
  private @Nullable ManagedChannel channel;

  @BeforeEach
  void open() throws Exception {
    ServerServiceDefinition service =
        ServerServiceDefinition.builder("test.Who")
            .addMethod(
                WHO,
                (call, headers) -> {
                  call.sendHeaders(new Metadata());
                  ClientNames names = call.getAttributes().get(DiscoveryServices.CLIENT_NAMES);
                  call.sendMessage(String.valueOf(names));
                  call.close(Status.OK, new Metadata());
                  return new ServerCall.Listener<>() {};
                })
            .build();
    ListenAddress address = door.open(List.of(() -> service), 1 << 20);
    assertThat(address.isLoopback()).isTrue();
    channel =
        Grpc.newChannelBuilder(address.toString(), InsecureChannelCredentials.create()).build();
  }

  @AfterEach
  void close() {
    Objects.requireNonNull(channel).shutdownNow();
    door.close();
  }

  private String call(@Nullable String token) {
    Metadata headers = new Metadata();
    if (token != null) {
      headers.put(
          Metadata.Key.of(EnvoyBootstrap.TOKEN_HEADER, Metadata.ASCII_STRING_MARSHALLER), token);
    }
    return ClientCalls.blockingUnaryCall(
        io.grpc.ClientInterceptors.intercept(
            Objects.requireNonNull(channel), MetadataUtils.newAttachHeadersInterceptor(headers)),
        WHO,
        CallOptions.DEFAULT,
        "");
  }

  @Test
  void onlyThoseWithTheSecretComeIn() {
    for (String token : new String[] {null, "", "0".repeat(64), door.token().substring(1)}) {
      assertThatThrownBy(() -> call(token))
          .as("%s", token)
          .isInstanceOf(StatusRuntimeException.class)
          .hasMessageContaining("UNAUTHENTICATED: this port is for the server's own scouts");
    }
    assertThat(call(door.token())).isEqualTo("scouts of this server");
    assertThat(new ScoutDoor().token()).isNotEqualTo(door.token()).hasSize(64);
  }

  @Test
  void whoComesInIsAScoutWhateverItSays() {
    AccessPolicy.Decision decision =
        new AccessPolicy(List.of(ScoutDoor.rule()))
            .decide(
                new ClientNames(List.of(call(door.token()))),
                Node.newBuilder().setId("any").build());

    assertThat(Objects.requireNonNull(decision.access()).isScout()).isTrue();
    assertThat(decision.access().mayVote()).isFalse();
  }

  @Test
  void theSecretIsInTheBootstrapAndInNoOtherText() throws Exception {
    EnvoyBootstrap bootstrap =
        EnvoyBootstrap.of("s", "c", 0, new ListenAddress("127.0.0.1", 1)).withToken("secret-1");

    assertThat(bootstrap.yaml())
        .contains("  initial_metadata: [{key: x-holdfast-token, value: \"secret-1\"}]");
    assertThat(bootstrap.toString()).doesNotContain("secret-1");
    assertThat(bootstrap.withToken("").yaml()).doesNotContain("initial_metadata");
  }
}
