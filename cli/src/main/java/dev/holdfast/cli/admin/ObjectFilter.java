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

/** Which objects a list is to have, by name, namespace and kind. */
final class ObjectFilter {
  @Parameters(
      arity = "0..1",
      paramLabel = "NAME",
      description = "Only those of this name; a star stands for anything.")
  String name = "*";

  @Option(
      names = {"-n", "--namespace"},
      paramLabel = "NAMESPACE",
      description = "Only those of this namespace.")
  @Nullable String namespace;

  @Option(names = "--kind", paramLabel = "KIND", description = "Only those of this kind.")
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
