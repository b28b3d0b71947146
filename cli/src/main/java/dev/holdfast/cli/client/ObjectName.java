// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.cli.client;

import static java.util.Objects.requireNonNull;

import com.google.gson.JsonObject;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/**
 * An object as the user named it.
 *
 * @param namespace null if it was not said
 */
public record ObjectName(String kind, @Nullable String namespace, String name) {
  /** The name of an object as the server tells it. */
  public static ObjectName of(JsonObject object) {
    return new ObjectName(
        JsonFields.text(object, "kind"),
        JsonFields.text(object, "namespace"),
        JsonFields.text(object, "name"));
  }

  /** Whether an object is meant; kinds may be written in any case. */
  public boolean matches(JsonObject object) {
    return kind.equalsIgnoreCase(JsonFields.text(object, "kind"))
        && name.equals(JsonFields.text(object, "name"))
        && (namespace == null || namespace.equals(JsonFields.text(object, "namespace")));
  }

  /** Where it would be in the API; only if its namespace was said. */
  public String path() {
    return ReportedObject.path(kind, requireNonNull(namespace, "namespace"), name);
  }

  @Override
  public String toString() {
    return kind + "/" + (namespace == null ? "" : namespace + "/") + name;
  }

  /** For parameters. */
  public static final class Converter implements ITypeConverter<ObjectName> {
    @Override
    public ObjectName convert(String value) {
      String[] parts = value.split("/", -1);
      for (String part : parts) {
        if (part.isEmpty() || parts.length < 2 || parts.length > 3) {
          throw new TypeConversionException(
              "'" + value + "' (expected: KIND/NAME or KIND/NAMESPACE/NAME)");
        }
      }
      return parts.length == 2
          ? new ObjectName(parts[0], null, parts[1])
          : new ObjectName(parts[0], parts[1], parts[2]);
    }
  }
}
