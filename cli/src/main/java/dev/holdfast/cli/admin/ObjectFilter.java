// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.cli.admin;

import com.google.gson.JsonObject;
import dev.holdfast.cli.client.AdminClient;
import dev.holdfast.cli.client.JsonFields;
import java.util.Locale;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Options that filter a list of objects by name, namespace and kind. */
final class ObjectFilter {
  @Parameters(
      arity = "0..1",
      paramLabel = "NAME",
      description = "Only objects with this name; * matches any text.")
  String name = "*";

  @Option(
      names = {"-n", "--namespace"},
      paramLabel = "NAMESPACE",
      description = "Only objects in this namespace.")
  @Nullable String namespace;

  @Option(names = "--kind", paramLabel = "KIND", description = "Only objects of this kind.")
  @Nullable String kind;

  /** The list that the admin port has under a path, as far as it is wanted. */
  JsonObject list(AdminClient client, String path) {
    String query = namespace == null ? "" : "?namespace=" + AdminClient.encode(namespace);
    Predicate<String> names = JsonFields.glob(name);
    return JsonFields.filter(
        client.get(path + query),
        object ->
            names.test(JsonFields.text(object, "name"))
                && (kind == null || lower(kind).equals(lower(JsonFields.text(object, "kind")))));
  }

  private static String lower(String text) {
    return text.toLowerCase(Locale.ROOT);
  }
}
