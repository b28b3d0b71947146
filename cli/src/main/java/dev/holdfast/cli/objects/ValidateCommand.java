// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.cli.objects;

import dev.holdfast.cli.CommonOptions;
import dev.holdfast.cli.ExitCode;
import dev.holdfast.cli.Shell;
import dev.holdfast.cli.output.Console;
import dev.holdfast.cli.output.Json;
import dev.holdfast.cli.output.Yaml;
import dev.holdfast.config.files.ReadResult;
import dev.holdfast.server.options.ObjectRules;
import dev.holdfast.server.options.StartException;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** {@code holdfast validate}: validates objects in files, without a server. */
@Command(
    name = "validate",
    header = "Validate objects in files, without a server.",
    customSynopsis =
        "holdfast validate FILE|DIRECTORY... [--config FILE] [--references] [-o text|json|yaml]",
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
      "  holdfast validate examples/shop --config /etc/holdfast/holdfast.yaml",
      "  holdfast validate shop.yaml -o json | jq '.problems[].message'",
      "%nExit codes: 0 no problems, 1 problems found, 2 bad arguments or no files."
    })
@SuppressWarnings("NullAway.Init") // picocli sets what it must before call()
public final class ValidateCommand implements Callable<Integer> {
  private final Shell shell;

  @Spec CommandSpec spec;
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

  @Option(
      names = "--config",
      paramLabel = "FILE",
      description =
          "The configuration file of the server: what it does not allow its authors is a problem,"
              + " too.")
  @Nullable Path config;

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
    ObjectRules rules = rules();
    ReadResult reading = files.read(rules);
    Validation validation =
        references
            ? Validation.together(reading, List.of(), rules.translation())
            : Validation.of(reading, rules.translation());
    Console console = new Console(shell.out(), shell.err());
    switch (format) {
      case json -> console.print(Json.pretty(validation.json()));
      case yaml -> console.print(Yaml.of(validation.json()));
      case text -> console.print(validation.text());
    }
    return validation.problems().isEmpty() ? ExitCode.OK : ExitCode.FAILED;
  }

  private ObjectRules rules() {
    try {
      return config == null ? ObjectRules.none() : ObjectRules.of(config);
    } catch (StartException e) {
      throw new ParameterException(spec.commandLine(), String.valueOf(e.getMessage()), e);
    }
  }
}
