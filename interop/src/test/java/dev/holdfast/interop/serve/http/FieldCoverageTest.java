// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.interop.serve.http;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.lang.reflect.Method;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;

/**
 * The table of fields and of the tests that see their effect in a real Envoy: every field that the
 * schema of HTTPProxy knows and that concerns requests has one.
 */
class FieldCoverageTest {
  /** These concern connections, or need services of their own; they have tests elsewhere. */
  private static final List<String> ELSEWHERE =
      List.of(
          "ingressClassName",
          "tcpproxy",
          "virtualhost.authorization",
          "virtualhost.rateLimitPolicy.global",
          "virtualhost.tls",
          "routes.authPolicy",
          "routes.rateLimitPolicy.global",
          "routes.services.protocol",
          "routes.services.validation",
          "routes.healthCheckPolicy",
          "routes.timeoutPolicy.idleConnection");

  private final Map<String, List<String>> table = table();

  @Test
  void everyFieldThatConcernsRequestsIsInTheTableAndNothingElse() {
    Set<String> fields = new TreeSet<>();
    JsonObject schema = JsonParser.parseString(read(schema())).getAsJsonObject();
    collect(schema.getAsJsonObject("properties").getAsJsonObject("spec"), "", fields);
    fields.removeIf(
        field -> ELSEWHERE.stream().anyMatch(other -> (field + ".").startsWith(other + ".")));

    assertThat(fields).hasSizeGreaterThan(100);
    assertThat(table.keySet()).isEqualTo(fields);
  }

  @Test
  void everyTestOfTheTableExists() {
    Set<String> missing = new TreeSet<>();
    table.forEach(
        (field, tests) -> {
          assertThat(tests).as(field).isNotEmpty();
          tests.stream()
              .filter(test -> !exists(test))
              .forEach(test -> missing.add(field + ": " + test));
        });

    assertThat(missing).isEmpty();
  }

  @Test
  void aTestThatIsNotThereIsFoundMissing() {
    assertThat(exists("FieldCoverageTest#aTestThatIsNotThereIsFoundMissing")).isTrue();
    assertThat(exists("FieldCoverageTest#exists")).isFalse();
    assertThat(exists("NoSuchTest#present")).isFalse();
  }

  private static boolean exists(String test) {
    String[] names = test.split("#", 2);
    try {
      Class<?> type = Class.forName(FieldCoverageTest.class.getPackageName() + "." + names[0]);
      return Arrays.stream(type.getDeclaredMethods())
          .filter(method -> method.getName().equals(names[1]))
          .anyMatch(FieldCoverageTest::isTest);
    } catch (ClassNotFoundException e) {
      return false;
    }
  }

  private static boolean isTest(Method method) {
    return method.isAnnotationPresent(Test.class)
        || method.isAnnotationPresent(ParameterizedTest.class);
  }

  /** The fields that hold a value, without those that are refused, which are {@code not: {}}. */
  private static void collect(JsonObject schema, String path, Set<String> fields) {
    JsonObject items = schema.getAsJsonObject("items");
    JsonObject properties = schema.getAsJsonObject("properties");
    if (items != null) {
      collect(items, path, fields);
    } else if (properties == null) {
      if (!schema.has("not")) {
        fields.add(path);
      }
    } else {
      for (Map.Entry<String, JsonElement> property : properties.entrySet()) {
        collect(
            property.getValue().getAsJsonObject(),
            path.isEmpty() ? property.getKey() : path + "." + property.getKey(),
            fields);
      }
    }
  }

  /** A field stands at the beginning of a line, and its tests below it; {@code #} is a comment. */
  private static Map<String, List<String>> table() {
    Map<String, List<String>> table = new TreeMap<>();
    List<String> tests = new ArrayList<>();
    for (String line : resource("fields.txt").split("\n", -1)) {
      if (line.startsWith(" ")) {
        tests.add(line.strip());
      } else if (!line.isEmpty() && !line.startsWith("#")) {
        tests = new ArrayList<>();
        assertThat(table.put(line, tests)).as(line).isNull();
      }
    }
    return table;
  }

  private static String resource(String name) {
    try (InputStream in =
        Objects.requireNonNull(FieldCoverageTest.class.getResourceAsStream(name), name)) {
      return new String(in.readAllBytes(), StandardCharsets.UTF_8);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static Path schema() {
    for (Path dir = Path.of("").toAbsolutePath(); dir != null; dir = dir.getParent()) {
      Path schema = dir.resolve("schemas/httpproxy.json");
      if (Files.exists(schema)) {
        return schema;
      }
    }
    throw new AssertionError("no directory above this one holds schemas/httpproxy.json");
  }

  private static String read(Path file) {
    try {
      return Files.readString(file);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
