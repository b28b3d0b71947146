// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.envoy.api;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.Any;
import com.google.protobuf.Descriptors.Descriptor;
import com.google.protobuf.DynamicMessage;
import com.google.protobuf.InvalidProtocolBufferException;
import com.google.protobuf.Message;
import com.google.protobuf.TextFormat;
import dev.holdfast.config.Value;
import dev.holdfast.config.files.Documents;
import dev.holdfast.config.files.YamlReader;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Objects;

/** Configurations as YAML. */
final class ConfigFixture {
  private ConfigFixture() {}

  static Value yaml(String yaml) {
    Documents documents = YamlReader.read("f", yaml.getBytes(StandardCharsets.UTF_8));
    assertThat(documents.problems()).isEmpty();
    assertThat(documents.documents()).hasSize(1);
    return documents.documents().get(0);
  }

  /** A type, and its fields below it. */
  static String typed(String type, String fields) {
    return "\"@type\": type.googleapis.com/" + type + "\n" + fields;
  }

  /** {@code line:column: path: message} of everything that is wrong. */
  static List<String> problems(String yaml) {
    return TypedConfig.read(yaml(yaml)).problems().stream()
        .map(
            problem ->
                problem.position().line()
                    + ":"
                    + problem.position().column()
                    + ": "
                    + problem.problem())
        .toList();
  }

  static Any any(String yaml) {
    TypedConfig config = TypedConfig.read(yaml(yaml));
    assertThat(config.problems()).isEmpty();
    return Objects.requireNonNull(config.any());
  }

  static Descriptor type(String name) {
    return Objects.requireNonNull(EnvoyTypes.get().find(name), name);
  }

  /** The message inside, on one line. */
  static String text(Any any) {
    return TextFormat.printer().emittingSingleLine(true).printToString(message(any));
  }

  static Message message(Any any) {
    try {
      return DynamicMessage.parseFrom(
          Objects.requireNonNull(EnvoyTypes.get().findByUrl(any.getTypeUrl())), any.getValue());
    } catch (InvalidProtocolBufferException e) {
      throw new AssertionError(e);
    }
  }
}
