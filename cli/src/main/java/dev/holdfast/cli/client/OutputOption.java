// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.cli.client;

import com.google.gson.JsonElement;
import dev.holdfast.cli.Shell;
import java.util.List;
import java.util.function.Supplier;
import picocli.CommandLine.Option;

/** For whom a command prints. */
public final class OutputOption {
  @Option(
      names = {"-o", "--output"},
      paramLabel = "table|json|yaml",
      description = "For people or for programs. Default: ${DEFAULT-VALUE}.")
  OutputFormat format = OutputFormat.table;

  public OutputFormat format() {
    return format;
  }

  public void print(Shell shell, JsonElement value, Supplier<List<String>> lines) {
    format.print(shell, value, lines);
  }
}
