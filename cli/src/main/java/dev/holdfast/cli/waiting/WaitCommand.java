// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.cli.waiting;

import com.google.gson.JsonArray;
import com.google.gson.JsonObject;
import dev.holdfast.cli.CommonOptions;
import dev.holdfast.cli.Shell;
import dev.holdfast.cli.client.ObjectName;
import dev.holdfast.cli.client.OutputFormat;
import dev.holdfast.cli.client.OutputOption;
import dev.holdfast.cli.client.ServerOption;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code holdfast wait}: waits until proxies run the objects. */
@Command(
    name = "wait",
    header = "Wait until proxies run the newest generation of objects.",
    customSynopsis =
        "holdfast wait KIND/[NAMESPACE/]NAME... [--for programmed|removed] [--generation N]"
            + " [--timeout TIME] [--server URL] [-o table|json|yaml]",
    description =
        "%nWaits until every proxy that uses the objects runs their newest generation, or until one "
            + "of the objects is rejected, invalid or in conflict. Also waits for objects that the server has not seen yet, "
            + "and for a server that restarts meanwhile.%n",
    footer = {
      "%nExamples:",
      "  holdfast wait HTTPProxy/shop/web",
      "  holdfast wait HTTPProxy/shop/web --generation 3 --timeout 2m",
      "  holdfast wait HTTPProxy/shop/web Service/shop/web -o json",
      "  holdfast wait HTTPProxy/shop/old --for removed",
      "%nExit codes: 0 proxies run the objects (with --for removed: they are gone), 1 no response "
          + "from the server, 2 bad arguments, 3 rejected (or invalid, or in conflict), 4 "
          + "timed out."
    })
@SuppressWarnings("NullAway.Init") // picocli sets what it must before call()
public final class WaitCommand implements Callable<Integer> {
  private final Shell shell;

  @Spec CommandSpec spec;
  @Mixin CommonOptions common = new CommonOptions();
  @Mixin ServerOption server = new ServerOption();
  @Mixin OutputOption format = new OutputOption();
  @Mixin TimeoutOption timeout = new TimeoutOption();

  @Parameters(
      arity = "1..*",
      paramLabel = "KIND/[NAMESPACE/]NAME",
      converter = ObjectName.Converter.class,
      description = "The objects. KIND is case-insensitive.")
  List<ObjectName> names;

  @Option(
      names = "--for",
      paramLabel = "programmed|removed",
      description = "The condition to wait for. Default: ${DEFAULT-VALUE}.")
  Wish wish = Wish.programmed;

  @Option(
      names = "--generation",
      paramLabel = "N",
      description = "Wait for this generation or a newer one. Only with a single object.")
  long generation;

  /** The values are spelled as users write them. */
  enum Wish {
    programmed,
    removed
  }

  public WaitCommand(Shell shell) {
    this.shell = shell;
  }

  @Override
  public Integer call() {
    common.apply();
    if (generation < 0 || (generation > 0 && names.size() > 1)) {
      throw new ParameterException(
          spec.commandLine(),
          "--generation: " + generation + " (expected: from 1, with one object)");
    }
    WaitCondition waitFor = wish == Wish.removed ? WaitCondition.removed : WaitCondition.programmed;
    ObjectWaiter waiting =
        new ObjectWaiter(
            server.client(shell.environment()),
            waitFor,
            names.stream().distinct().map(name -> new WaitTarget(name, generation)).toList());
    boolean forPeople = format.format() == OutputFormat.table;
    WaitResult outcome =
        waiting.run(
            shell.time(),
            timeout.timeout(),
            forPeople ? ProgressPrinter.of(shell) : ProgressPrinter.NONE);
    if (!forPeople) {
      format.print(shell, json(outcome, waitFor), List::of);
    }
    return outcome.exitCode();
  }

  private static JsonObject json(WaitResult outcome, WaitCondition waitFor) {
    JsonObject json = new JsonObject();
    json.addProperty("outcome", outcome.word(waitFor));
    JsonArray objects = new JsonArray();
    outcome.objects().forEach(progress -> objects.add(progress.json()));
    json.add("objects", objects);
    return json;
  }
}
