// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.cli.admin;

import com.google.gson.JsonObject;
import dev.holdfast.cli.CommonOptions;
import dev.holdfast.cli.ExitCode;
import dev.holdfast.cli.Shell;
import dev.holdfast.cli.client.AdminClient;
import dev.holdfast.cli.client.ObjectName;
import dev.holdfast.cli.client.ObjectOption;
import dev.holdfast.cli.client.OutputOption;
import dev.holdfast.cli.client.ServerOption;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code holdfast diff}: an object's newest generation against the one in force. */
@Command(
    name = "diff",
    header = "Compare the newest generation of objects with the one that is live.",
    customSynopsis =
        "holdfast diff [KIND/[NAMESPACE/]NAME] [-n NAMESPACE] [--server URL] [-o table|json|yaml]",
    description =
        "%nCompares an object's newest generation with the generation that is in force. They differ "
            + "while the object is held or its rollout is under way, and if only a part of it can be "
            + "served. Prints a unified diff of at most 100 lines, without private keys, and the "
            + "reason. The content of a Secret is never shown.%n"
            + "%nWithout an object: lists every object whose newest generation is not in force, or "
            + "not all of it, with the reason, and every file that cannot be read. Objects that "
            + "nothing refers to are not listed.%n",
    footer = {
      "%nExamples:",
      "  holdfast diff",
      "  holdfast diff HTTPProxy/shop/web",
      "  holdfast diff httpproxy/web -n shop -o json | jq -r '.diff[]'",
      "%nExit codes: 0 no difference, 1 no such object or no response from the server, 2 bad "
          + "arguments, 5 they differ."
    })
@SuppressWarnings("NullAway.Init") // picocli sets what it must before call()
public final class DiffCommand implements Callable<Integer> {
  private final Shell shell;

  @Spec CommandSpec spec;
  @Mixin CommonOptions common = new CommonOptions();
  @Mixin ServerOption server = new ServerOption();
  @Mixin OutputOption format = new OutputOption();

  @Parameters(
      arity = "0..1",
      paramLabel = "KIND/[NAMESPACE/]NAME",
      converter = ObjectName.Converter.class,
      description = "The object. KIND is case-insensitive. Default: all objects.")
  @Nullable ObjectName name;

  @Option(
      names = {"-n", "--namespace"},
      paramLabel = "NAMESPACE",
      description = "The object's namespace, or only objects in this namespace.")
  @Nullable String namespace;

  public DiffCommand(Shell shell) {
    this.shell = shell;
  }

  @Override
  public Integer call() {
    common.apply();
    AdminClient client = server.client(shell.environment());
    return name == null ? all(client) : one(client, wanted(name));
  }

  private int one(AdminClient client, ObjectName wanted) {
    JsonObject found = ObjectOption.find(client, wanted);
    ObjectDiff difference = ObjectDiff.of(found);
    format.print(shell, difference.json(), () -> difference.render(shell.style()));
    return difference.isOne() ? ExitCode.DIFFERENT : ExitCode.OK;
  }

  private int all(AdminClient client) {
    FleetDiff differences = FleetDiff.read(client, namespace);
    format.print(shell, differences.json(), () -> differences.render(shell.width(), shell.style()));
    return differences.isEmpty() ? ExitCode.OK : ExitCode.DIFFERENT;
  }

  private ObjectName wanted(ObjectName given) {
    if (namespace == null || namespace.equals(given.namespace())) {
      return given;
    }
    if (given.namespace() != null) {
      throw new ParameterException(
          spec.commandLine(),
          "--namespace: " + namespace + " (expected: the one in " + given + ", or none)");
    }
    return new ObjectName(given.kind(), namespace, given.name());
  }
}
