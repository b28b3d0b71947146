// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.cli.client;

import com.google.gson.JsonElement;
import dev.holdfast.cli.Shell;
import dev.holdfast.cli.output.Console;
import dev.holdfast.cli.output.Json;
import dev.holdfast.cli.output.Yaml;
import java.util.List;
import java.util.function.Supplier;

/** For whom something is printed. The values are spelled as users write them. */
public enum OutputFormat {
  table,
  json,
  yaml;

  public void print(Shell shell, JsonElement value, Supplier<List<String>> lines) {
    Console console = new Console(shell.out(), shell.err());
    switch (this) {
      case json -> console.print(Json.pretty(value));
      case yaml -> console.print(Yaml.of(value));
      case table -> console.print(lines.get());
    }
  }
}
