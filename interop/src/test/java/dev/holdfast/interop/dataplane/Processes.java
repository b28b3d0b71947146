// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.interop.dataplane;

import dev.holdfast.interop.LineProcess;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** Programs of the tests, in processes of their own. */
final class Processes {
  private Processes() {}

  static LineProcess java(Map<String, String> environment, Class<?> main, String... args)
      throws IOException {
    List<String> command = new ArrayList<>();
    command.add("env");
    environment.forEach((name, value) -> command.add(name + "=" + value));
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(List.of("-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1")); // it lives for seconds
    command.addAll(List.of("-cp", System.getProperty("java.class.path"), main.getName()));
    command.addAll(List.of(args));
    return new LineProcess(Path.of("").toAbsolutePath(), command);
  }
}
