// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.cli.demo;

import dev.holdfast.cli.Main;
import java.lang.management.ManagementFactory;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** The command line that starts this program in another process. */
final class JavaCommand {
  private JavaCommand() {}

  /** With the same JVM, the same classes and the same tuning, and these arguments. */
  static List<String> of(String... arguments) {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    for (String option : ManagementFactory.getRuntimeMXBean().getInputArguments()) {
      if (option.startsWith("-XX:") || option.startsWith("-Xshare") || option.startsWith("-Xlog")) {
        command.add(option);
      }
    }
    command.addAll(List.of("-cp", System.getProperty("java.class.path"), Main.class.getName()));
    command.addAll(List.of(arguments));
    return command;
  }
}
