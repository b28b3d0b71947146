// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.interop.serve;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.holdfast.interop.TestSources;
import dev.holdfast.server.options.OptionsFile;
import dev.holdfast.server.options.PartialOptions;
import dev.holdfast.server.options.ServeOptions;
import dev.holdfast.server.options.StateOptions;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The files of deploy/systemd: what they say fits together, and systemd agrees. */
class SystemdUnitTest {
  private static final Path FILES = TestSources.repositoryRoot().resolve("deploy/systemd");
  private static final Path UNIT = FILES.resolve("holdfast.service");

  /** What systemd calls OK; 10 is a service that may do everything. */
  private static final String MOST_EXPOSED = "--threshold=20";

  @TempDir private Path directory;

  @Test
  void theServerRunsAsAUserOfItsOwnThatIsMade() throws Exception {
    assertThat(setting("User")).isEqualTo("holdfast").isEqualTo(setting("Group"));
    assertThat(Files.readString(FILES.resolve("holdfast.sysusers.conf")))
        .containsPattern("(?m)^u " + setting("User") + " ");
  }

  @Test
  void theServerIsStartedAgainHoweverOftenItEnds() throws Exception {
    assertThat(setting("Restart")).isEqualTo("always");
    assertThat(setting("StartLimitIntervalSec")).isEqualTo("0");
    assertThat(setting("Type")).isEqualTo("notify");
    assertThat(setting("NotifyAccess")).as("systemd-notify is a child").isEqualTo("all");
  }

  @Test
  void theStateIsWhereTheServerMayWriteAndNowhereElse() throws Exception {
    assertThat(setting("ProtectSystem")).isEqualTo("strict");
    assertThat(settings()).doesNotContainKey("ReadWritePaths");
    String home = environment("XDG_STATE_HOME").replace("%S", "/var/lib");

    ServeOptions options = example().complete(Map.of("XDG_STATE_HOME", home));

    assertThat(((StateOptions.InFile) options.state()).path())
        .startsWithRaw(Path.of("/var/lib", setting("StateDirectory")));
    assertThat(setting("StateDirectoryMode")).isEqualTo("0700");
  }

  @Test
  void theExampleOpensPortsForThisMachineOnly() throws Exception {
    ServeOptions options = example().complete(Map.of("XDG_STATE_HOME", "/var/lib"));

    assertThat(options.xds().isLoopback()).isTrue();
    assertThat(options.admin().address().isLoopback()).isTrue();
    assertThat(setting("ExecStart"))
        .isEqualTo("/opt/holdfast/bin/holdfast serve --config /etc/holdfast/holdfast.yaml");
  }

  @Test
  void theServerHasNoRightsThatItDoesNotNeed() throws Exception {
    for (String yes :
        List.of(
            "NoNewPrivileges",
            "PrivateTmp",
            "PrivateDevices",
            "ProtectHome",
            "ProtectKernelModules",
            "ProtectKernelTunables",
            "ProtectControlGroups",
            "RestrictNamespaces",
            "RestrictSUIDSGID",
            "LockPersonality")) {
      assertThat(setting(yes)).as(yes).isEqualTo("yes");
    }
    assertThat(setting("CapabilityBoundingSet")).isEmpty();
    assertThat(settings().get("SystemCallFilter"))
        .containsExactly("@system-service mincore", "~@privileged @resources");
    // The Java runtime compiles at run time, and reads the size of the machine.
    assertThat(settings()).doesNotContainKeys("MemoryDenyWriteExecute", "ProcSubset");
  }

  @Test
  void systemdTakesTheUnitAndCallsItWellProtected() throws Exception {
    Path program = directory.resolve("holdfast");
    Files.writeString(program, "#!/bin/sh\n");
    assertThat(program.toFile().setExecutable(true)).isTrue();
    Path unit = directory.resolve("holdfast.service");
    Files.writeString(
        unit, Files.readString(UNIT).replace("/opt/holdfast/bin/holdfast", program.toString()));

    assertThat(analyze("verify", unit.toString())).isEmpty();
    analyze("security", "--offline=true", "--no-pager", MOST_EXPOSED, unit.toString());
  }

  /** What systemd-analyze prints about it. */
  private static String analyze(String... arguments) throws Exception {
    List<String> command = new ArrayList<>(List.of("systemd-analyze"));
    command.addAll(List.of(arguments));
    Process process;
    try {
      process = new ProcessBuilder(command).redirectErrorStream(true).start();
    } catch (IOException e) {
      assumeTrue(
          false,
          "no systemd-analyze: its checks of the unit are skipped (apt-get install systemd)");
      throw e;
    }
    String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertThat(process.waitFor()).as(output).isZero();
    return output;
  }

  private PartialOptions example() throws Exception {
    Path file = Files.copy(FILES.resolve("holdfast.yaml"), directory.resolve("holdfast.yaml"));
    Files.createDirectories(directory.resolve("objects"));
    return OptionsFile.read(file);
  }

  private static String setting(String name) throws IOException {
    List<String> values = settings().getOrDefault(name, List.of());
    assertThat(values).as(name).hasSize(1);
    return values.get(0);
  }

  private static String environment(String name) throws IOException {
    return settings().getOrDefault("Environment", List.of()).stream()
        .filter(each -> each.startsWith(name + "="))
        .map(each -> each.substring(name.length() + 1))
        .findAny()
        .orElse("");
  }

  private static Map<String, List<String>> settings() throws IOException {
    Map<String, List<String>> settings = new TreeMap<>();
    for (String line : Files.readAllLines(UNIT)) {
      if (!line.isBlank() && !line.startsWith("#") && !line.startsWith("[")) {
        String[] parts = line.split("=", 2);
        assertThat(parts).as(line).hasSize(2);
        settings.computeIfAbsent(parts[0], name -> new ArrayList<>()).add(parts[1]);
      }
    }
    return settings;
  }
}
