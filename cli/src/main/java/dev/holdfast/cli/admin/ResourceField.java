// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.cli.admin;

import dev.holdfast.cli.client.AdminClient;
import java.util.Locale;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/** A resource, or a part of one, as the user named it. */
record ResourceField(String type, String name, FieldPath path) {
  /** Where the resource is in the API. */
  String address() {
    return "/api/v1/resources/" + AdminClient.encode(type) + "/" + AdminClient.encode(name);
  }

  /** {@code TYPE/NAME}. */
  String resource() {
    return type + "/" + name;
  }

  /** The name that the API has for a type; people know some by shorter ones. */
  static String type(String word) {
    return switch (word.toLowerCase(Locale.ROOT)) {
      case "route", "routes" -> "RouteConfiguration";
      case "endpoint", "endpoints" -> "ClusterLoadAssignment";
      case "extension" -> "TypedExtensionConfig";
      default -> word;
    };
  }

  /** For parameters. */
  static final class Converter implements ITypeConverter<ResourceField> {
    @Override
    public ResourceField convert(String value) {
      int hash = value.lastIndexOf('#');
      String resource = hash < 0 ? value : value.substring(0, hash);
      int slash = resource.indexOf('/');
      if (slash < 1 || slash == resource.length() - 1) {
        throw new TypeConversionException(
            "'" + value + "' (expected: TYPE/NAME or TYPE/NAME#PATH)");
      }
      return new ResourceField(
          type(resource.substring(0, slash)),
          resource.substring(slash + 1),
          hash < 0 ? FieldPath.WHOLE : FieldPath.parse(value.substring(hash + 1)));
    }
  }
}
