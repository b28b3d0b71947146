// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.grpc.tls;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.holdfast.base.Env;
import dev.holdfast.base.Problems;
import dev.holdfast.base.tls.KeyAndChain;
import dev.holdfast.testkit.ManualTime;
import dev.holdfast.testkit.TestCa;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Certificate providers that are files (gRFC A29). */
class CertificateFilesTest {
  private static final Duration INTERVAL = Duration.ofSeconds(60);

  private final TestCa ca = TestCa.create("ours");
  private final ManualTime time = new ManualTime();
  private final Queue<Runnable> tasks = new ArrayDeque<>();
  private final Env env = new Env(tasks::add, time, RandomGenerator.getDefault());

  @TempDir Path directory;
  private CertificateFiles files = CertificateFiles.open(settings(Map.of()), env);

  @BeforeEach
  void open() {
    files.close();
    files =
        CertificateFiles.open(
            settings(
                Map.of(
                    "ca_certificate_file", directory.resolve("ca.pem").toString(),
                    "certificate_file", directory.resolve("cert.pem").toString(),
                    "private_key_file", directory.resolve("key.pem").toString(),
                    "refresh_interval", "60s")),
            env);
  }

  @AfterEach
  void close() {
    files.close();
    assertThat(time.pending()).isEmpty();
  }

  private static TlsSettings settings(Map<String, String> config) {
    Problems problems = new Problems();
    TlsSettings settings = TlsSettings.parse(config, problems);
    assertThat(problems.list()).isEmpty();
    return settings;
  }

  private void runTasks() {
    while (!tasks.isEmpty()) {
      tasks.remove().run();
    }
  }

  /** Who we are once everything that was begun is done. */
  private String identity() {
    runTasks();
    CompletableFuture<KeyAndChain> identity = files.identity();
    runTasks();
    return identity.join().toString();
  }

  @Test
  void nothingIsReadBeforeSomebodyAsks() {
    assertThat(tasks).isEmpty();
    ca.issue("first").writeTo(directory);
    assertThat(identity()).isEqualTo("CN=first");
  }

  @Test
  void theFilesAreReadAgainAfterEachInterval() {
    ca.issue("first").writeTo(directory);
    assertThat(identity()).isEqualTo("CN=first");
    ca.issue("second").writeTo(directory);
    assertThat(identity()).isEqualTo("CN=first");
    time.advance(INTERVAL);
    assertThat(identity()).isEqualTo("CN=second");
    ca.issue("third").writeTo(directory);
    time.advance(INTERVAL);
    assertThat(identity()).isEqualTo("CN=third");
  }

  @Test
  void halfOfAPairIsNotUsed() throws IOException {
    ca.issue("first").writeTo(directory);
    assertThat(identity()).isEqualTo("CN=first");
    TestCa.Identity second = ca.issue("second");
    Files.writeString(directory.resolve("cert.pem"), second.certificatePem());
    time.advance(INTERVAL);
    assertThat(identity()).isEqualTo("CN=first");
    Files.writeString(directory.resolve("key.pem"), second.privateKeyPem());
    time.advance(INTERVAL);
    assertThat(identity()).isEqualTo("CN=second");
  }

  @Test
  void halfWrittenAndMissingFilesLeaveTheLastGoodOnes() throws IOException {
    ca.issue("first").writeTo(directory);
    assertThat(identity()).isEqualTo("CN=first");
    String second = ca.issue("second").certificatePem();
    Files.writeString(directory.resolve("cert.pem"), second.substring(0, second.length() / 2));
    time.advance(INTERVAL);
    assertThat(identity()).isEqualTo("CN=first");
    Files.delete(directory.resolve("cert.pem"));
    time.advance(INTERVAL);
    assertThat(identity()).isEqualTo("CN=first");
  }

  @Test
  void filesThatWereNeverThereAreReadForEachWhoAsks() {
    CompletableFuture<KeyAndChain> first = files.identity();
    runTasks();
    assertThatThrownBy(first::join).hasMessageContaining("cert.pem: no such file");
    ca.issue("first").writeTo(directory);
    assertThat(identity()).isEqualTo("CN=first");
  }

  @Test
  void manyWhoAskAtOnceAreAnsweredByOneReading() {
    ca.issue("first").writeTo(directory);
    CompletableFuture<KeyAndChain> one = files.identity();
    CompletableFuture<KeyAndChain> other = files.identity();
    assertThat(tasks).hasSize(1);
    runTasks();
    assertThat(one.join()).isSameAs(other.join());
  }

  @Test
  void trustedCertificatesWorkWithoutAnIdentity() {
    ca.writeTo(directory);
    CompletableFuture<?> roots = files.roots();
    CompletableFuture<?> identity = files.identity();
    runTasks();
    assertThat(roots).isCompleted();
    assertThat(identity).isCompletedExceptionally();
  }

  @Test
  void sameContentIsTheSameObject() {
    ca.issue("first").writeTo(directory);
    identity();
    KeyAndChain before = files.identity().join();
    time.advance(INTERVAL);
    runTasks();
    assertThat(files.identity().join()).isSameAs(before);
  }

  @Test
  void keysAreNotPrinted() {
    ca.issue("first").writeTo(directory);
    CompletableFuture<KeyAndChain> identity = files.identity();
    runTasks();
    assertThat(identity.join()).hasToString("CN=first");
  }
}
