// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.cli.admin;

import com.google.gson.JsonObject;
import dev.holdfast.base.NearestName;
import dev.holdfast.cli.CommandException;
import dev.holdfast.cli.client.AdminClient;
import dev.holdfast.cli.client.JsonFields;
import dev.holdfast.controlplane.objects.extension.ExtensionPolicy;
import dev.holdfast.controlplane.objects.extension.ExtensionService;
import dev.holdfast.controlplane.objects.httpproxy.HttpProxy;
import dev.holdfast.controlplane.objects.ingress.Ingress;
import dev.holdfast.controlplane.objects.secret.Secret;
import dev.holdfast.controlplane.objects.secret.TlsCertificateDelegation;
import dev.holdfast.controlplane.objects.service.EndpointSlice;
import dev.holdfast.controlplane.objects.service.Service;
import java.util.List;
import java.util.Locale;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Options that filter a list of objects by name, namespace and kind. */
final class ObjectFilter {
  private static final List<String> KINDS =
      List.of(
          HttpProxy.KIND,
          TlsCertificateDelegation.KIND,
          Ingress.KIND,
          Service.KIND,
          EndpointSlice.KIND,
          Secret.KIND,
          ExtensionPolicy.KIND,
          ExtensionService.KIND);

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
    Predicate<JsonObject> wanted =
        object ->
            names.test(JsonFields.text(object, "name"))
                && (kind == null || lower(kind).equals(lower(JsonFields.text(object, "kind"))));
    return JsonFields.filter(
        client.get(path + query),
        item -> wanted.test(item) || JsonFields.of(item, "affected").stream().anyMatch(wanted));
  }

  /**
   * A name or kind that was asked for and does not exist is an error. A pattern that matches
   * nothing is not.
   *
   * @throws CommandException if there is no such object, or no such kind
   */
  void mustHaveFound(JsonObject list) {
    if (!JsonFields.of(list, "items").isEmpty()) {
      return;
    }
    if (kind != null && KINDS.stream().noneMatch(kind::equalsIgnoreCase)) {
      throw new CommandException(
          "--kind: " + kind + (" (expected: one of " + String.join(", ", KINDS) + ")"));
    }
    if (!name.contains("*")) {
      String asKind = NearestName.of(name, KINDS);
      throw new CommandException(
          "no "
              + (kind == null ? "object" : kind)
              + " named "
              + name
              + (namespace == null ? "" : " in namespace " + namespace)
              + (asKind == null
                  ? " ('holdfast get objects' lists all)"
                  : " (did you mean --kind " + asKind + "?)"));
    }
  }

  private static String lower(String text) {
    return text.toLowerCase(Locale.ROOT);
  }
}
