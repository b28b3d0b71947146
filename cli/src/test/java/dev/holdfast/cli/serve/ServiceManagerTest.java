// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.cli.serve;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.DisabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

@DisabledOnOs(OS.WINDOWS)
class ServiceManagerTest {
  @TempDir private Path directory;

  @Test
  void systemdIsToldWhenTheServerIsReadyAndWhenItStops() throws Exception {
    ServiceManager manager =
        new ServiceManager(Map.of("NOTIFY_SOCKET", "/run/systemd/notify"), program("exit 0"));

    manager.ready("10 objects\n from here");
    manager.stopping();

    assertThat(told())
        .hasLineCount(2)
        .startsWith("--ready --status=10 objects")
        .endsWith("STOPPING=1 --status=stopping\n");
  }

  @Test
  void nobodyIsToldWhereThereIsNoSystemd() throws Exception {
    new ServiceManager(Map.of(), program("exit 0")).ready("x");

    assertThat(directory.resolve("told")).doesNotExist();
  }

  @Test
  void aProgramThatFailsOrIsMissingStopsNothing() throws Exception {
    Map<String, String> environment = Map.of("NOTIFY_SOCKET", "@x");

    new ServiceManager(environment, program("exit 1")).ready("x");
    new ServiceManager(environment, directory.resolve("none").toString()).ready("x");

    assertThat(told()).isEqualTo("--ready --status=x\n");
  }

  private String program(String end) throws IOException {
    Path script = directory.resolve("notify");
    Files.writeString(
        script, "#!/bin/sh\nprintf '%s\\n' \"$*\" >>'" + directory + "/told'\n" + end + "\n");
    Files.setPosixFilePermissions(script, PosixFilePermissions.fromString("rwx------"));
    return script.toString();
  }

  private String told() throws IOException {
    return Files.readString(directory.resolve("told"));
  }
}
