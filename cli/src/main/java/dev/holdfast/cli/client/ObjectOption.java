// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.cli.client;

import com.google.gson.JsonObject;
import dev.holdfast.cli.CommandException;
import java.util.List;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** Which object a command is about. */
@SuppressWarnings("NullAway.Init") // picocli sets what it must
public final class ObjectOption {
  @Spec(Spec.Target.MIXEE)
  CommandSpec spec;

  @Parameters(
      paramLabel = "KIND/[NAMESPACE/]NAME",
      converter = ObjectName.Converter.class,
      description = "The object. The kind may be written in any case.")
  ObjectName name;

  @Option(
      names = {"-n", "--namespace"},
      paramLabel = "NAMESPACE",
      description = "Its namespace; not needed if no other object is called the same.")
  @Nullable String namespace;

  /**
   * The object as the server tells of it.
   *
   * @throws CommandException if there is none, or several
   */
  public JsonObject find(AdminClient client) {
    return find(client, wanted());
  }

  private ObjectName wanted() {
    if (namespace == null || namespace.equals(name.namespace())) {
      return name;
    }
    if (name.namespace() != null) {
      throw new ParameterException(
          spec.commandLine(),
          "--namespace: " + namespace + " (expected: the one in " + name + ", or none)");
    }
    return new ObjectName(name.kind(), namespace, name.name());
  }

  /**
   * By its path if that is known, else among all: the kind may be in another case.
   *
   * @throws CommandException if there is none, or several
   */
  public static JsonObject find(AdminClient client, ObjectName wanted) {
    if (wanted.namespace() != null) {
      var exact = client.find(wanted.path());
      if (exact.isPresent()) {
        return exact.get();
      }
    }
    List<JsonObject> found =
        JsonFields.of(client.get("/api/v1/objects"), "items").stream()
            .filter(wanted::matches)
            .toList();
    if (found.size() == 1) {
      return client.find(ReportedObject.path(found.get(0))).orElse(found.get(0));
    }
    throw new CommandException(
        found.isEmpty()
            ? wanted + ": there is no such object ('holdfast get objects' lists all)"
            : wanted
                + ": in several namespaces (expected: -n with one of "
                + found.stream()
                    .map(object -> JsonFields.text(object, "namespace"))
                    .collect(Collectors.joining(", "))
                + ")");
  }
}
