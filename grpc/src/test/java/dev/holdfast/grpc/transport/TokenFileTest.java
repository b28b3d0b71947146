// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.grpc.transport;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.base.Env;
import dev.holdfast.testkit.ManualTime;
import io.grpc.Attributes;
import io.grpc.CallCredentials;
import io.grpc.Metadata;
import io.grpc.MethodDescriptor;
import io.grpc.SecurityLevel;
import io.grpc.Status;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Base64;
import java.util.Queue;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Tokens in files, as call credentials (gRFC A97). */
class TokenFileTest {
  private final ManualTime time = new ManualTime();
  private final Queue<Runnable> tasks = new ArrayDeque<>();
  private final Env env = new Env(tasks::add, time, RandomGenerator.getDefault());

  @TempDir Path directory;
  private Path file = Path.of("");
  private TokenFile credentials = new TokenFile(file, env);

  @BeforeEach
  void open() {
    file = directory.resolve("token.jwt");
    credentials = new TokenFile(file, env);
  }

  private String token(Duration validFor) throws IOException {
    return write("{\"exp\": " + time.now().plus(validFor).getEpochSecond() + "}");
  }

  private String write(String payload) throws IOException {
    Base64.Encoder encoder = Base64.getUrlEncoder().withoutPadding();
    String token =
        "e30." + encoder.encodeToString(payload.getBytes(StandardCharsets.UTF_8)) + ".c2ln";
    Files.writeString(file, token + "\n");
    return token;
  }

  /** What a call is told: its header, its error, or nothing so far. */
  private final class Call extends CallCredentials.MetadataApplier {
    String header = "";
    Status failure = Status.OK;

    @Override
    public void apply(Metadata headers) {
      header =
          String.valueOf(
              headers.get(Metadata.Key.of("authorization", Metadata.ASCII_STRING_MARSHALLER)));
    }

    @Override
    public void fail(Status status) {
      failure = status;
    }

    Call begin(SecurityLevel level) {
      credentials.applyRequestMetadata(new Request(level), Runnable::run, this);
      return this;
    }
  }

  private Call begin() {
    return new Call().begin(SecurityLevel.PRIVACY_AND_INTEGRITY);
  }

  private Call call() {
    Call call = begin();
    runTasks();
    return call;
  }

  private void runTasks() {
    while (!tasks.isEmpty()) {
      tasks.remove().run();
    }
  }

  @Test
  void callsCarryTheTokenOfTheFile() throws IOException {
    String token = token(Duration.ofHours(1));
    assertThat(call().header).isEqualTo("Bearer " + token);
  }

  @Test
  void tokenIsReadOnceForCallsThatBeginTogether() throws IOException {
    String token = token(Duration.ofHours(1));
    Call one = begin();
    Call other = begin();
    assertThat(tasks).hasSize(1);
    runTasks();
    assertThat(one.header).isEqualTo("Bearer " + token);
    assertThat(other.header).isEqualTo("Bearer " + token);
    assertThat(begin().header).isEqualTo("Bearer " + token);
    assertThat(tasks).isEmpty();
  }

  @Test
  void tokenThatEndsSoonIsReadAgainWhileItIsStillShown() throws IOException {
    String first = token(Duration.ofHours(1));
    call();
    time.advance(Duration.ofMinutes(60).minusSeconds(80)); // 50 s, without the margin
    String second = token(Duration.ofHours(1));
    Call early = begin();
    assertThat(early.header).isEqualTo("Bearer " + first);
    runTasks();
    assertThat(begin().header).isEqualTo("Bearer " + second);
  }

  @Test
  void tokenThatHasEndedIsNotShown() throws IOException {
    token(Duration.ofHours(1));
    call();
    time.advance(Duration.ofMinutes(60).minusSeconds(29));
    String second = token(Duration.ofHours(1));
    Call late = begin();
    assertThat(late.header).isEmpty();
    runTasks();
    assertThat(late.header).isEqualTo("Bearer " + second);
  }

  @Test
  void missingFileFailsCallsAndIsLeftAloneForAWhile() throws IOException {
    Status failure = call().failure;
    assertThat(failure.getCode()).isEqualTo(Status.Code.UNAVAILABLE);
    assertThat(failure.getDescription()).contains("token.jwt: no such file");
    String token = token(Duration.ofHours(1));
    assertThat(call().failure).isEqualTo(failure);
    time.advance(Duration.ofSeconds(1));
    assertThat(call().header).isEqualTo("Bearer " + token);
  }

  @Test
  void pausesGrowUntilTheFileIsGood() throws IOException {
    for (Duration pause = Duration.ofSeconds(1);
        pause.compareTo(Duration.ofSeconds(8)) < 0;
        pause = pause.multipliedBy(2)) {
      assertThat(call().failure.isOk()).isFalse();
      time.advance(pause.minusMillis(1));
      begin();
      assertThat(tasks).isEmpty();
      time.advance(Duration.ofMillis(1));
    }
    token(Duration.ofHours(1));
    assertThat(call().failure.isOk()).isTrue();
  }

  @ParameterizedTest
  @ValueSource(strings = {"{}", "{\"exp\": \"soon\"}", "[]", "no JSON", "{\"exp\": 1e300}"})
  void fileThatIsNoTokenIsNotShownToAnybody(String payload) throws IOException {
    write(payload);
    Status failure = call().failure;
    assertThat(failure.getCode()).isEqualTo(Status.Code.UNAUTHENTICATED);
    assertThat(failure.getDescription()).contains("token.jwt: ").doesNotContain(payload);
  }

  @Test
  void otherFilesAreNoTokens() throws IOException {
    Files.writeString(file, "secret");
    assertThat(call().failure.getDescription()).contains("not a JWT").doesNotContain("secret");
  }

  @ParameterizedTest
  @ValueSource(strings = {"NONE", "INTEGRITY"})
  void tokenIsNotSentWithoutEncryption(SecurityLevel level) throws IOException {
    token(Duration.ofHours(1));
    Call call = new Call().begin(level);
    runTasks();
    assertThat(call.header).isEmpty();
    assertThat(call.failure.getCode()).isEqualTo(Status.Code.UNAUTHENTICATED);
    assertThat(call.failure.getDescription()).contains("tls");
  }

  private static final class Request extends CallCredentials.RequestInfo {
    private final SecurityLevel level;

    Request(SecurityLevel level) {
      this.level = level;
    }

    @Override
    public MethodDescriptor<?, ?> getMethodDescriptor() {
      throw new UnsupportedOperationException();
    }

    @Override
    public SecurityLevel getSecurityLevel() {
      return level;
    }

    @Override
    public String getAuthority() {
      return "xds.example.com";
    }

    @Override
    public Attributes getTransportAttrs() {
      return Attributes.EMPTY;
    }
  }
}
