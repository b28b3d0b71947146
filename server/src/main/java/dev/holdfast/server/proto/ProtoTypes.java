// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.server.proto;

import com.google.protobuf.Message;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.regex.Pattern;

/**
 * Finds the class of a message by the name of its type. Only the classes that are asked for are
 * loaded: a registry of everything would cost more at start-up than all the rest.
 */
public final class ProtoTypes {
  /** Where the packages of our protos went in Java. */
  private static final Map<String, String> PACKAGES =
      new TreeMap<>(
          Map.of(
              "envoy.", "io.envoyproxy.envoy.",
              "google.api.", "com.google.api.",
              "google.protobuf.", "com.google.protobuf.",
              "google.rpc.", "com.google.rpc.",
              "udpa.", "com.github.udpa.udpa.",
              "xds.", "com.github.xds."));

  private static final Pattern NAME = Pattern.compile("[A-Za-z0-9_]+(\\.[A-Za-z0-9_]+)+");

  private ProtoTypes() {}

  /** The default instance of a message type; empty if this program does not know the type. */
  public static Optional<Message> find(String typeName) {
    if (!NAME.matcher(typeName).matches()) {
      return Optional.empty();
    }
    return PACKAGES.entrySet().stream()
        .filter(entry -> typeName.startsWith(entry.getKey()))
        .findFirst()
        .flatMap(entry -> load(entry.getValue() + typeName.substring(entry.getKey().length())))
        .filter(message -> message.getDescriptorForType().getFullName().equals(typeName));
  }

  private static Optional<Message> load(String className) {
    try {
      Class<?> type =
          Class.forName(className, /* initialize= */ false, ProtoTypes.class.getClassLoader());
      return Message.class.isAssignableFrom(type)
          ? Optional.of((Message) type.getMethod("getDefaultInstance").invoke(null))
          : Optional.empty();
    } catch (ReflectiveOperationException | LinkageError e) {
      return Optional.empty();
    }
  }
}
