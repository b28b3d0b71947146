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

/** {@code holdfast validate}: validates objects in files, without a server. */
@Command(
    name = "validate",
    header = "Validate objects in files, without a server.",
    customSynopsis = "holdfast validate FILE|DIRECTORY... [--references] [-o text|json|yaml]",
    description = {
      "%nReads YAML and JSON files (in directories: every file that ends in .yaml, .yml or .json) "
          + "and prints all problems of the objects in them: the position, the field, and the "
          + "expected value.%n",
      "Each object is validated on its own, unless --references is given. Nothing is sent over the "
          + "network.%n"
    },
    footer = {
      "%nExamples:",
      "  holdfast validate examples/shop",
      "  holdfast validate shop.yaml -o json | jq '.problems[].message'",
      "%nExit codes: 0 no problems, 1 problems found, 2 bad arguments or no files."
    })
public final class ValidateCommand implements Callable<Integer> {
  private final Shell shell;

  @Mixin CommonOptions common = new CommonOptions();
  @Mixin ObjectFiles files = new ObjectFiles();

  @Option(
      names = {"-o", "--output"},
      paramLabel = "text|json|yaml",
      description = "The output format. Default: ${DEFAULT-VALUE}.")
  Format format = Format.text;

  @Option(
      names = "--references",
      description =
          "Also check that referenced objects exist. Use this with the complete set of files.")
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
