// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.cli.objects;

import dev.holdfast.cli.CommonOptions;
import dev.holdfast.cli.ExitCode;
import dev.holdfast.cli.Shell;
import dev.holdfast.cli.output.Console;
import dev.holdfast.cli.output.Json;
import dev.holdfast.cli.output.Yaml;
import dev.holdfast.config.files.ReadResult;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code holdfast validate}: what is wrong with objects in files, without a server. */
@Command(
    name = "validate",
    header = "Check objects in files.",
    customSynopsis = "holdfast validate FILE|DIRECTORY... [--references] [-o text|json|yaml]",
    description = {
      "%nReads YAML and JSON files, of directories all that end in .yaml, .yml or .json, and says "
          + "everything that is wrong with the objects in them: where, in which field, and what "
          + "was expected.%n",
      "Each object is checked by itself, unless --references is given. Nothing is sent anywhere.%n"
    },
    footer = {
      "%nExamples:",
      "  holdfast validate examples/shop",
      "  holdfast validate shop.yaml -o json | jq '.problems[].message'",
      "%nExit codes: 0 all is well, 1 there are problems, 2 bad arguments, or no files."
    })
public final class ValidateCommand implements Callable<Integer> {
  private final Shell shell;

  @Mixin CommonOptions common = new CommonOptions();
  @Mixin ObjectFiles files = new ObjectFiles();

  @Option(
      names = {"-o", "--output"},
      paramLabel = "text|json|yaml",
      description = "For people or for programs. Default: ${DEFAULT-VALUE}.")
  Format format = Format.text;

  @Option(
      names = "--references",
      description =
          "Check also that what objects refer to is there. For a whole set of files, not a part"
              + " of one.")
  boolean references;

  /** The values are spelled as users write them. */
  enum Format {
    text,
    json,
    yaml
  }

  public ValidateCommand(Shell shell) {
    this.shell = shell;
  }

  @Override
  public Integer call() {
    common.apply();
    ReadResult reading = files.read();
    Validation validation =
        references ? Validation.together(reading, List.of()) : Validation.of(reading);
    Console console = new Console(shell.out(), shell.err());
    switch (format) {
      case json -> console.print(Json.pretty(validation.json()));
      case yaml -> console.print(Yaml.of(validation.json()));
      case text -> console.print(validation.text());
    }
    return validation.problems().isEmpty() ? ExitCode.OK : ExitCode.FAILED;
  }
}
