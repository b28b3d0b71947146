// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.store.sqlite;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.config.AcceptedSpec;
import dev.holdfast.config.ConfigObject;
import dev.holdfast.config.Digest;
import dev.holdfast.config.Mapping;
import dev.holdfast.config.ObjectKey;
import dev.holdfast.config.Position;
import dev.holdfast.config.Scalar;
import dev.holdfast.config.StateChange;
import dev.holdfast.config.Value;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Looks for a private key in the bytes of every file that the store makes. */
class SecretsStayOutTest {
  private static final Position HERE = Position.of("secret.yaml");
  private static final String KEY_MATERIAL = "MHcCAQEEIIrYSSNQFaA2Hwf1duRSxKtLYX5CB04fSeQ6tF1aY";
  private static final String PEM =
      "-----BEGIN EC PRIVATE KEY-----\n" + KEY_MATERIAL + "\n-----END EC PRIVATE KEY-----\n";
  private static final String ENCODED =
      Base64.getEncoder().encodeToString(PEM.getBytes(ISO_8859_1));
  private static final String CERTIFICATE = "this-is-the-certificate";

  @TempDir private Path directory;

  @Test
  void whatASecretHoldsIsNotInAnyFile() throws IOException {
    for (String kind : List.of("Secret", "secret", "SECRET")) {
      for (String field : List.of("data", "stringData", "Data", "type", "whatever")) {
        ConfigObject secret = secret(kind, field);
        try (SqliteStateStore store = SqliteStateStore.open(directory.resolve("state.db"))) {
          store.generations().assign(Map.of(secret.key(), Digest.of(secret.body())), Instant.EPOCH);
          store.commit(
              StateChange.builder()
                  .putAccepted(AcceptedSpec.of(secret))
                  .putAccepted(new AcceptedSpec(secret, "some digest"))
                  .build());
          assertNoKey();
        }
        assertNoKey();
      }
    }
  }

  @Test
  void whatElseASecretSaysIsKept() {
    ConfigObject secret = secret("Secret", "data");
    try (SqliteStateStore store = SqliteStateStore.open(directory.resolve("state.db"))) {
      store.commit(StateChange.builder().putAccepted(AcceptedSpec.of(secret)).build());

      AcceptedSpec stored = requireNonNull(store.load().accepted().get(secret.key()));
      assertThat(stored.isWhole()).isFalse();
      assertThat(stored.digest()).isEqualTo(Digest.of(secret.body()));
      assertThat(stored.object().generation()).isEqualTo(2);
      assertThat(stored.object().labels()).isEqualTo(Map.of("app", "shop"));
      assertThat(stored.object().body().fields().keySet()).containsExactly("type", "entries");
    }
  }

  private void assertNoKey() throws IOException {
    int files = 0;
    try (Stream<Path> all = Files.list(directory)) {
      for (Path file : all.toList()) {
        files++;
        assertThat(new String(Files.readAllBytes(file), ISO_8859_1))
            .as(file.toString())
            .doesNotContain(KEY_MATERIAL)
            .doesNotContain(ENCODED.substring(0, 40))
            .doesNotContain("PRIVATE KEY")
            .doesNotContain(CERTIFICATE);
      }
    }
    assertThat(files).isPositive();
  }

  /** Also in the annotation that kubectl writes, which holds the whole object. */
  private static ConfigObject secret(String kind, String field) {
    Map<String, Value> data = new LinkedHashMap<>();
    data.put("tls.key", new Scalar(field.equals("stringData") ? PEM : ENCODED, HERE));
    data.put("tls.crt", new Scalar(CERTIFICATE, HERE));
    Map<String, Value> body = new LinkedHashMap<>();
    body.put("type", new Scalar("kubernetes.io/tls", HERE));
    body.put(field, new Mapping(data, HERE));
    return new ConfigObject(
        new ObjectKey(kind, "default", "tls"),
        "v1",
        "uid",
        2,
        Instant.EPOCH,
        new TreeMap<>(Map.of("app", "shop")),
        new TreeMap<>(
            Map.of("kubectl.kubernetes.io/last-applied-configuration", "{" + ENCODED + "}")),
        new Mapping(body, HERE));
  }
}
