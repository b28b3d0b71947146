// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.controlplane.mask;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.config.ConfigObject;
import dev.holdfast.config.ObjectKey;
import dev.holdfast.controlplane.translate.Translation;
import dev.holdfast.controlplane.translate.TranslationOptions;
import dev.holdfast.controlplane.translate.YamlObjects;
import dev.holdfast.testkit.ManualTime;
import dev.holdfast.testkit.TestCa;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Base64;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What authors wrote into sensitive places does not stand in a masked text. */
class SensitiveValuesTest {
  private static final String MASK = SensitiveValues.MASK;

  private final ManualTime time = new ManualTime();
  private final SensitiveValues values = new SensitiveValues(time);

  private ConfigObject put(String yaml) {
    ConfigObject object = YamlObjects.list(yaml).get(0);
    values.put(object);
    return object;
  }

  private static String secret(String name, String content) {
    return YamlObjects.object("v1", "Secret", name, "stringData: {content: \"" + content + "\"}");
  }

  private static String policy(String type, String config) {
    return YamlObjects.object(
        "holdfast.dev/v1alpha1",
        "ExtensionPolicy",
        "p",
        "spec: {targetRef: {name: a}, httpFilters: [{name: f, typedConfig: {'@type':"
            + " type.googleapis.com/envoy.extensions.filters.http."
            + type
            + ", "
            + config
            + "}}]}");
  }

  @Test
  void keyOfAPolicyIsMaskedWhereverEnvoyQuotesIt() {
    put(policy("api_key_auth.v3.ApiKeyAuth", "credentials: [{key: hunter2-key, client: one}]"));

    assertThat(values.mask("Duplicate credential key: 'hunter2-key' of hunter2-key!"))
        .isEqualTo("Duplicate credential key: '" + MASK + "' of " + MASK + "!");
    assertThat(values.mask("nothing of the kind")).isEqualTo("nothing of the kind");
  }

  @Test
  void sensitiveFieldsAreFoundAtAnyDepthAndInEitherSpelling() {
    put(
        policy(
            "lua.v3.Lua",
            "sourceCodes: {x: {inlineString: 'no secret'}}, unknownField: {privateKey: 'field by"
                + " its name'}, more: [{key: Authorization, value: 'Bearer abcdefgh'}]"));

    assertThat(values.mask("no secret; field by its name; Bearer abcdefgh"))
        .isEqualTo("no secret; " + MASK + "; " + MASK);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "basic_auth.v3.BasicAuth | users: {inlineString: 'admin:{SHA}tESsBmE='} | {SHA}tESsBmE=",
        "credential_injector.v3.CredentialInjector | credential: {name: g, typedConfig: {'@type':"
            + " type.googleapis.com/envoy.extensions.transport_sockets.tls.v3.GenericSecret,"
            + " secret: {inlineBytes: cGFzc3dvcmQtaW4tYnl0ZXM=}}} | password-in-bytes"
      })
  void annotatedFieldsAreSensitive(String type, String config, String secret) {
    put(policy(type, config));

    assertThat(values.mask("invalid: " + secret)).doesNotContain(secret);
  }

  @Test
  void secretIsMaskedInEveryForm() {
    put(secret("s", "pa\\\"ss \\u00e9 w\\nord"));
    String value = "pa\"ss \u00e9 w\nord";
    byte[] bytes = value.getBytes(StandardCharsets.UTF_8);

    assertThat(values.mask("<" + value + ">")).isEqualTo("<" + MASK + ">");
    assertThat(values.mask("<pa\\\"ss \\303\\251 w\\nord>")).isEqualTo("<" + MASK + ">");
    assertThat(values.mask("<pa\\\"ss \\u00e9 w\\u000aord>")).isEqualTo("<" + MASK + ">");
    assertThat(values.mask("<pa\\\\\\\"ss \\\\303\\\\251 w\\\\nord>")).isEqualTo("<" + MASK + ">");
    assertThat(values.mask("<pa%22ss%20%C3%A9%20w%0Aord>")).isEqualTo("<" + MASK + ">");
    assertThat(values.mask("<" + Base64.getEncoder().encodeToString(bytes) + ">"))
        .doesNotContain(Base64.getEncoder().encodeToString(bytes).substring(0, 8));
    assertThat(values.mask("bad line: pa\"ss \u00e9 w")).isEqualTo("bad line: " + MASK);
  }

  @Test
  void valueThatWasCutIsMasked() {
    put(secret("s", "abcdefghijklmnopqrstuvwxyz"));

    assertThat(values.mask("error: abcdefghij")).isEqualTo("error: " + MASK);
    assertThat(values.mask("error: ijklmnopqr, and more"))
        .isEqualTo("error: " + MASK + ", and more");
    assertThat(values.mask("error: abcdef")).isEqualTo("error: abcdef");
  }

  @Test
  void shortValuesAreMaskedAsWords() {
    put(secret("s", "admin"));
    put(secret("t", "ab"));

    assertThat(values.mask("user admin: administrator 'ab' about ab"))
        .isEqualTo("user " + MASK + ": administrator '" + MASK + "' about ab");
  }

  @Test
  void wordsOfAConfigurationFileStayReadable() {
    put(
        secret(
            "s",
            "server.connection=fast\\nserver.password=hunter2hunter2\\n# a comment on validation"));

    assertThat(values.mask("connection failure, validation failed"))
        .isEqualTo("connection failure, validation failed");
    assertThat(values.mask("bad line 'server.password=hunter2hunter2'"))
        .isEqualTo("bad line '" + MASK + "'");
  }

  @Test
  void certificateIsPublicAndItsKeyIsNot() {
    TestCa.Identity identity = TestCa.create("ca").issue("server");
    String key = identity.privateKeyPem();
    String yaml =
        YamlObjects.object(
            "v1",
            "Secret",
            "s",
            "data: {tls.crt: %s, tls.key: %s}"
                .formatted(base64(identity.certificatePem()), base64(key)));
    put(yaml);

    String line = key.lines().skip(1).findFirst().orElseThrow();
    assertThat(values.mask("bad key: " + line)).isEqualTo("bad key: " + MASK);
    assertThat(values.mask("bad key: " + base64(key))).doesNotContain(base64(key).substring(0, 16));
    assertThat(values.mask(identity.certificatePem())).isEqualTo(identity.certificatePem());
  }

  private static String base64(String text) {
    return Base64.getEncoder().encodeToString(text.getBytes(StandardCharsets.UTF_8));
  }

  @Test
  void replacedGenerationIsForgottenWhenItIsNotServedAndOld() {
    put(secret("s", "the first value"));
    ConfigObject second = put(secret("s", "the second one"));
    values.forget(object -> false);
    assertThat(values.mask("the first value")).isEqualTo(MASK);

    time.advance(Duration.ofMinutes(11));
    values.forget(object -> true);
    assertThat(values.mask("the first value")).isEqualTo(MASK);
    values.forget(object -> false);
    assertThat(values.mask("the first value")).isEqualTo("the first value");
    assertThat(values.mask("the second one")).isEqualTo(MASK);

    values.remove(second.key());
    time.advance(Duration.ofMinutes(11));
    values.forget(object -> false);
    assertThat(values.mask("the second one")).isEqualTo("the second one");
  }

  @Test
  void problemsThatHoldfastFindsDoNotQuoteSecrets() {
    String yaml =
        YamlObjects.object(
            "projectcontour.io/v1",
            "HTTPProxy",
            "p",
            "spec: {virtualhost: {fqdn: a.example}, routes: [{requestHeadersPolicy: {set: [{name:"
                + " Authorization, value: \"Bearer hunter2\\nhunter2\"}]}, services: [{name: s,"
                + " port: 80}]}]}");
    Translation translation =
        Translation.empty(TranslationOptions.defaults()).with(YamlObjects.objects(yaml));

    assertThat(
            String.valueOf(translation.objects().get(new ObjectKey("HTTPProxy", "default", "p"))))
        .doesNotContain("hunter2");
  }

  @Test
  void valueOfTwoObjectsStaysWhileOneHasIt() {
    put(secret("s", "shared value"));
    put(secret("t", "shared value"));
    values.remove(new ObjectKey("Secret", "default", "s"));
    time.advance(Duration.ofMinutes(11));
    values.forget(object -> false);

    assertThat(values.mask("shared value")).isEqualTo(MASK);
  }

  @Test
  void textMadeToCostTimeIsRemovedAsAWhole() {
    SplittableRandom random = new SplittableRandom(1);
    for (int i = 0; i < 2_000; i++) {
      StringBuilder text = new StringBuilder("aaaaaaa");
      for (int j = 0; j < 50; j++) {
        text.append((char) ('b' + random.nextInt(20))).append("aaaaaa");
      }
      put(secret("s" + i, text.toString()));
    }
    assertThat(values.mask("aaaaaab".repeat(1_000))).isEqualTo(MASK);
  }

  @Test
  void tenThousandSecretsCostLittlePerText() {
    SplittableRandom random = new SplittableRandom(1);
    for (int i = 0; i < 10_000; i++) {
      byte[] bytes = new byte[1200];
      random.nextBytes(bytes);
      put(secret("s" + i, Base64.getMimeEncoder().encodeToString(bytes).replace("\r\n", "\\n")));
    }
    String text = "envoy.filters.http.lua: script load error: [string \"x\"]:3 ".repeat(120);
    for (int i = 0; i < 200; i++) { // warm
      assertThat(values.mask(text)).isEqualTo(text);
    }
    // Its own time, and not that of whoever else uses the machine.
    ThreadMXBean threads = ManagementFactory.getThreadMXBean();
    long start = threads.getCurrentThreadCpuTime();
    for (int i = 0; i < 100; i++) {
      assertThat(values.mask(text)).isEqualTo(text);
    }
    assertThat(Duration.ofNanos((threads.getCurrentThreadCpuTime() - start) / 100))
        .isLessThan(Duration.ofMillis(20));
  }
}
