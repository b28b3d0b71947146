// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.config;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.config.contract.Samples;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

class AcceptedSpecTest {
  private static final Position HERE = Position.of("secret.yaml");

  @Test
  void anObjectIsKeptAsItIs() {
    ConfigObject object = Samples.object(Samples.key("a"), 3, "text");
    AcceptedSpec spec = AcceptedSpec.of(object);

    assertThat(spec.object()).isSameAs(object);
    assertThat(spec.digest()).isEqualTo(Digest.of(object.body()));
    assertThat(spec.isWhole()).isTrue();
  }

  @Test
  void ofASecretOnlyWhatIsHarmlessIsKept() {
    Map<String, Value> body = new LinkedHashMap<>();
    body.put("immutable", new Scalar(true, HERE));
    body.put("data", new Mapping(Map.of("tls.key", new Scalar("KEY", HERE)), HERE));
    body.put("type", new Scalar("kubernetes.io/tls", HERE));
    body.put("stringData", new Mapping(Map.of("tls.key", new Scalar("KEY", HERE)), HERE));
    body.put("dat", new Scalar("KEY", HERE));
    ConfigObject secret = secret(new Mapping(body, HERE));

    AcceptedSpec spec = new AcceptedSpec(secret, "digest");

    assertThat(spec.object().body().fields().keySet())
        .containsExactly("immutable", "type", "entries");
    assertThat(ValueText.of(spec.object().body())).contains("tls.key");
    assertThat(new AcceptedSpec(spec.object(), "digest")).as("stored again").isEqualTo(spec);
    assertThat(spec.object().annotations()).isEmpty();
    assertThat(spec.object().labels()).isEqualTo(secret.labels());
    assertThat(ValueText.of(spec.object().body())).doesNotContain("KEY");
    assertThat(spec.isWhole()).isFalse();
  }

  @Test
  void theDigestTellsWhetherASecretIsTheOneThatWasAccepted() {
    Mapping body = new Mapping(Map.of("data", new Scalar("KEY", HERE)), HERE);
    Mapping other = new Mapping(Map.of("data", new Scalar("OTHER", HERE)), HERE);

    assertThat(AcceptedSpec.of(secret(body)).digest()).isEqualTo(Digest.of(body));
    assertThat(AcceptedSpec.of(secret(body)).digest())
        .isNotEqualTo(AcceptedSpec.of(secret(other)).digest());
  }

  private static ConfigObject secret(Mapping body) {
    return new ConfigObject(
        new ObjectKey("Secret", "default", "tls"),
        "v1",
        "",
        1,
        Instant.EPOCH,
        new TreeMap<>(Map.of("app", "shop")),
        new TreeMap<>(Map.of("kubectl.kubernetes.io/last-applied-configuration", "KEY")),
        body);
  }
}
