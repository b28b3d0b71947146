// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.cli.serve;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.cli.CapturedOutput;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What was said badly costs one line, before anything is started. */
class ServeArgumentsTest {
  private final CapturedOutput captured = new CapturedOutput();

  @TempDir Path directory;

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "serve|no directory given (expected: DIRECTORY, --kubernetes, or --config FILE that sets one)",
        "serve x --disagreement both|Invalid value for option '--disagreement': 'both' (expected:"
            + " uniform or per-class)",
        "serve x --source-limits 5|Invalid value for option '--source-limits': '5' (expected: one or"
            + " more limits such as files=100000,depth=32,bytes=256Mi)",
        "serve x --xds-address 1|Invalid value for option '--xds-address': '1' (expected:"
            + " HOST:PORT)",
        "serve x --http-address a:99999|Invalid value for option '--http-address': '99999'"
            + " (expected: a port from 0 to 65535)",
        "serve x --state etcd://a/b|Invalid value for option '--state': 'etcd://a/b' (expected:"
            + " etcd://HOST:PORT[,HOST:PORT...]/PREFIX, or etcds:// for TLS)",
        "serve x --state s --etcd-ca c|Invalid value for option '--state': credentials of an etcd"
            + " without a state in one (expected: etcd://HOST:PORT/PREFIX as the state, at the same"
            + " place)",
      })
  void badArgumentsAreExplained(String line, String message) {
    assertThat(captured.run(line.split(" "))).isEqualTo(2);
    assertThat(captured.err())
        .isEqualTo("holdfast: " + message + " (see 'holdfast serve --help')\n");
  }

  @Test
  void aBadFileOfOptionsIsToldWithItsPlace() throws Exception {
    Path config = Files.writeString(directory.resolve("holdfast.yaml"), "xds:\n  port: 1\n");

    assertThat(captured.run("serve", "--config", config.toString())).isEqualTo(1);
    assertThat(captured.err())
        .isEqualTo(
            "holdfast: "
                + config
                + ":2:3: xds.port: unknown option (expected: one of address, certificate, clientCa,"
                + " clientCrl, identities, insecureSds, key, vhds)\n");
  }

  @Test
  void credentialsOfAnEtcdThatAreNotThereAreTold() {
    Path user = directory.resolve("user");

    assertThat(
            captured.run(
                "serve",
                directory.toString(),
                "--state",
                "etcd://127.0.0.1:1/x",
                "--etcd-user-file",
                user.toString()))
        .isEqualTo(1);
    assertThat(captured.err()).isEqualTo("holdfast: state: " + user + ": no such file\n");
  }

  @Test
  void aFileOfOptionsThatIsNotThereIsTold() {
    Path config = directory.resolve("none.yaml");

    assertThat(captured.run("serve", "--config", config.toString())).isEqualTo(1);
    assertThat(captured.err()).isEqualTo("holdfast: " + config + ": no such file\n");
  }

  @Test
  void aTokenFileThatIsNotThereIsTold() {
    Path token = directory.resolve("token");

    assertThat(captured.run("serve", "x", "--admin-token-file", token.toString())).isEqualTo(1);
    assertThat(captured.err()).isEqualTo("holdfast: token file " + token + ": no such file\n");
  }
}
