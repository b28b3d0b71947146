// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.controlplane.mask;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.config.ConfigObject;
import dev.holdfast.config.Mapping;
import dev.holdfast.config.ObjectKey;
import dev.holdfast.config.Position;
import dev.holdfast.config.Scalar;
import dev.holdfast.config.Sequence;
import dev.holdfast.config.Value;
import dev.holdfast.controlplane.ads.proxy.NackMessage;
import dev.holdfast.controlplane.status.ErrorText;
import dev.holdfast.testkit.ManualTime;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Base64;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Random objects with random secrets, and texts that quote them in whichever form: no secret, and
 * no long part of one, is left. {@code -Dholdfast.fuzz=100000} makes more of it.
 */
class SensitiveValuesFuzzTest {
  private static final int ROUNDS = Integer.getInteger("holdfast.fuzz", 400);
  private static final Position NOWHERE = new Position("f", 1, 1);
  private static final int LONG_PART = 8;

  /** What secrets are made of; none of it occurs in the texts around them. */
  private static final String ALPHABET =
      "ABCDEFGHJKLMNPQRSTUVWXYZ0123456789+/_\\\"'%&<>{}$# \t\u00e9\u4e2d\ud83d\ude00";

  private static final List<String> AROUND =
      List.of(
          "duplicate credential key: ",
          "proto constraint validation failed (x.y: value length must be at least ",
          " rejected by the filter: '",
          "' of route ",
          "\n  inline_string: \"",
          "\"\n}",
          "invalid user line ",
          "...",
          " \\n ");

  private SplittableRandom random = new SplittableRandom();

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3})
  void noSecretIsLeftInAnyForm(long seed) {
    random = new SplittableRandom(seed);
    SensitiveValues values = new SensitiveValues(new ManualTime());
    List<String> secrets = new ArrayList<>();
    for (int round = 0; round < ROUNDS; round++) {
      if (secrets.size() < 400) {
        String secret = secret();
        secrets.add(secret);
        values.put(object(round, secret));
      }
      List<String> quoted = new ArrayList<>();
      String text = text(secrets, quoted);

      String masked = NackMessage.read(text, values::mask).text();

      String what = "seed " + seed + ", round " + round + ": <" + text + "> gave <" + masked + ">";
      for (String secret : quoted) {
        assertThat(masked).as(what).doesNotContain(secret);
        check(masked, secret, what);
        check(ErrorText.sanitise(masked), secret, what);
      }
    }
  }

  /** No long part of a line of the secret is in a text, as it is or in any other form. */
  private static void check(String masked, String secret, String what) {
    for (String line : secret.split("\n", -1)) {
      String trimmed = line.strip();
      for (int i = 0; i + LONG_PART <= trimmed.length(); i++) {
        String part = trimmed.substring(i, i + LONG_PART);
        if (!Character.isLowSurrogate(part.charAt(0))
            && !Character.isHighSurrogate(part.charAt(LONG_PART - 1))) {
          assertThat(forms(part)).as(what).noneMatch(masked::contains);
        }
      }
    }
    String encoded = base64(secret).replace("=", "");
    for (int i = 0; i + LONG_PART <= encoded.length(); i++) {
      assertThat(masked).as(what).doesNotContain(encoded.substring(i, i + LONG_PART));
    }
  }

  private static List<String> forms(String line) {
    return List.of(line, cEscaped(line), jsonEscaped(line));
  }

  private static String base64(String text) {
    return Base64.getEncoder().encodeToString(text.getBytes(StandardCharsets.UTF_8));
  }

  private static String cEscaped(String text) {
    StringBuilder escaped = new StringBuilder();
    for (byte b : text.getBytes(StandardCharsets.UTF_8)) {
      switch (b) {
        case '\n' -> escaped.append("\\n");
        case '\t' -> escaped.append("\\t");
        case '"' -> escaped.append("\\\"");
        case '\'' -> escaped.append("\\'");
        case '\\' -> escaped.append("\\\\");
        default -> {
          if (b < 32) {
            escaped.append(String.format("\\%03o", b & 0xff));
          } else {
            escaped.append((char) b);
          }
        }
      }
    }
    return escaped.toString();
  }

  private static String jsonEscaped(String text) {
    StringBuilder escaped = new StringBuilder();
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      if (c == '"' || c == '\\') {
        escaped.append('\\').append(c);
      } else if (c < 32 || c > 126 || c == '<') {
        escaped.append(String.format("\\u%04x", (int) c));
      } else {
        escaped.append(c);
      }
    }
    return escaped.toString();
  }

  private String secret() {
    int lines = random.nextInt(4) == 0 ? 1 + random.nextInt(30) : 1;
    StringBuilder text = new StringBuilder();
    for (int i = 0; i < lines; i++) {
      text.append(i == 0 ? "" : "\n").append(line(lines == 1 ? 4 : 16));
    }
    return text.toString();
  }

  /** Of letters at both ends, as short lines are found as words only. */
  private String line(int least) {
    int length = least + random.nextInt(random.nextInt(10) == 0 ? 600 : 60);
    StringBuilder text = new StringBuilder("Z");
    while (text.length() < length) {
      text.appendCodePoint(
          ALPHABET.codePointAt(ALPHABET.offsetByCodePoints(0, random.nextInt(points()))));
    }
    return text.append('Q').toString();
  }

  private static int points() {
    return ALPHABET.codePointCount(0, ALPHABET.length());
  }

  private String text(List<String> secrets, List<String> quoted) {
    StringBuilder text = new StringBuilder();
    int quotes = 1 + random.nextInt(3);
    for (int i = 0; i < quotes; i++) {
      String secret = secrets.get(random.nextInt(secrets.size()));
      quoted.add(secret);
      text.append(AROUND.get(random.nextInt(AROUND.size()))).append(' ').append(form(secret));
      text.append(' ').append(AROUND.get(random.nextInt(AROUND.size())));
    }
    if (random.nextInt(3) == 0) { // cut, as Envoy does with long texts
      String last = form(quoted.get(random.nextInt(quoted.size())));
      text.append(' ').append(last, 0, random.nextInt(last.length() + 1));
      text.append(random.nextBoolean() ? "...(truncated)" : "");
    }
    return text.toString();
  }

  private String form(String secret) {
    return switch (random.nextInt(8)) {
      case 0 -> cEscaped(secret);
      case 1 -> jsonEscaped(secret);
      case 2 -> base64(secret);
      case 3 -> cEscaped(jsonEscaped(secret));
      case 4 -> {
        String[] lines = secret.split("\n", -1);
        yield lines[random.nextInt(lines.length)];
      }
      case 5 -> "'" + secret + "'";
      default -> secret;
    };
  }

  // Objects.

  private ConfigObject object(int id, String secret) {
    return switch (random.nextInt(4)) {
      case 0 -> object("Secret", id, Map.of("stringData", map("k", text(secret))));
      case 1 -> object("Secret", id, Map.of("data", map("k", text(base64(secret)))));
      case 2 ->
          policy(
              id,
              "type.googleapis.com/envoy.extensions.filters.http.api_key_auth.v3.ApiKeyAuth",
              "credentials",
              new Sequence(List.of(map("key", text(secret))), NOWHERE));
      default ->
          policy(
              id,
              "type.googleapis.com/envoy.extensions.filters.http.basic_auth.v3.BasicAuth",
              "users",
              random.nextBoolean()
                  ? map("inline_string", text(secret))
                  : map("inlineBytes", text(base64(secret))));
    };
  }

  private static ConfigObject policy(int id, String type, String field, Value value) {
    Map<String, Value> config = new LinkedHashMap<>();
    config.put("@type", text(type));
    config.put(field, value);
    Value filter = map("typedConfig", new Mapping(config, NOWHERE));
    return object(
        "ExtensionPolicy",
        id,
        Map.of("spec", map("httpFilters", new Sequence(List.of(filter), NOWHERE))));
  }

  private static ConfigObject object(String kind, int id, Map<String, Value> body) {
    return new ConfigObject(
        new ObjectKey(kind, "default", "o" + id),
        "v1",
        "",
        1,
        Instant.EPOCH,
        Collections.emptySortedMap(),
        Collections.emptySortedMap(),
        new Mapping(body, NOWHERE));
  }

  private static Mapping map(String name, Value value) {
    return new Mapping(Map.of(name, value), NOWHERE);
  }

  private static Scalar text(String text) {
    return new Scalar(text, NOWHERE);
  }
}
