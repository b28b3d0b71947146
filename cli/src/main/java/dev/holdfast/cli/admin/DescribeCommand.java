// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.cli.admin;

import com.google.gson.JsonObject;
import dev.holdfast.cli.CommonOptions;
import dev.holdfast.cli.Failure;
import dev.holdfast.cli.Shell;
import java.util.List;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code holdfast describe}: all that is known of one object. */
@Command(
    name = "describe",
    header = "Show all that is known of an object.",
    customSynopsis =
        "holdfast describe KIND/[NAMESPACE/]NAME [-n NAMESPACE] [--server URL]"
            + " [-o table|json|yaml]",
    description =
        "%nShows an object's conditions, how the proxies of each class took it, the resources it "
            + "has a part in, what is wrong with it, and what happened to it last.%n",
    footer = {
      "%nExamples:",
      "  holdfast describe HTTPProxy/shop/web",
      "  holdfast describe httpproxy/web -n shop -o yaml",
      "%nExit codes: 0 done, 1 no such object, or no answer from the server, 2 bad arguments."
    })
@SuppressWarnings("NullAway.Init") // picocli sets what it must before run()
public final class DescribeCommand implements Runnable {
  private static final int PAST = 10;

  private final Shell shell;

  @Spec CommandSpec spec;
  @Mixin CommonOptions common = new CommonOptions();
  @Mixin ServerOption server = new ServerOption();

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

  @Option(
      names = {"-o", "--output"},
      paramLabel = "table|json|yaml",
      description = "For people or for programs. Default: ${DEFAULT-VALUE}.")
  Format format = Format.table;

  public DescribeCommand(Shell shell) {
    this.shell = shell;
  }

  @Override
  public void run() {
    common.apply();
    AdminClient client = server.client(shell.environment());
    JsonObject object = find(client, wanted());
    format.print(
        shell,
        object,
        () ->
            Description.render(
                object, past(client, object), shell.time().now(), shell.width(), shell.style()));
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

  /** By its path if that is known, else among all: the kind may be in another case. */
  private static JsonObject find(AdminClient client, ObjectName wanted) {
    if (wanted.namespace() != null) {
      var exact = client.find(path(wanted.kind(), wanted.namespace(), wanted.name()));
      if (exact.isPresent()) {
        return exact.get();
      }
    }
    List<JsonObject> found =
        Items.of(client.get("/api/v1/objects"), "items").stream().filter(wanted::matches).toList();
    if (found.size() == 1) {
      return found.get(0);
    }
    throw new Failure(
        found.isEmpty()
            ? wanted + ": there is no such object ('holdfast get objects' lists all)"
            : wanted
                + ": in several namespaces (expected: -n with one of "
                + found.stream()
                    .map(object -> Items.text(object, "namespace"))
                    .collect(Collectors.joining(", "))
                + ")");
  }

  private static String path(String kind, String namespace, String name) {
    return "/api/v1/objects/"
        + AdminClient.encode(kind)
        + "/"
        + AdminClient.encode(namespace)
        + "/"
        + AdminClient.encode(name);
  }

  private static List<JsonObject> past(AdminClient client, JsonObject object) {
    String key =
        Items.text(object, "kind")
            + "/"
            + Items.text(object, "namespace")
            + "/"
            + Items.text(object, "name");
    return Items.of(
        client.get("/api/v1/history?limit=" + PAST + "&object=" + AdminClient.encode(key)),
        "items");
  }
}
