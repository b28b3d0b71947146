// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.cli.admin;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.cli.CapturedOutput;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A --server in a cluster, which kubectl leads to; a script plays kubectl. */
class ClusterServerTest {
  private static final String PLACE = "kubernetes:infra/holdfast";

  @TempDir Path directory;
  private final CapturedOutput captured = new CapturedOutput();

  /** Runs a command with a kubectl that does this, and writes down how it was called. */
  private int run(String script, String... arguments) throws IOException {
    Path kubectl = directory.resolve("kubectl");
    Files.writeString(
        kubectl, "#!/bin/sh\necho \"$*\" >> " + directory.resolve("calls") + "\n" + script);
    Files.setPosixFilePermissions(kubectl, PosixFilePermissions.fromString("rwx------"));
    return captured.run(Map.of("KUBECTL", kubectl.toString()), arguments);
  }

  private String calls() throws IOException {
    return Files.readString(directory.resolve("calls"));
  }

  private static String cluster(String lease, String secret, String forward) {
    return """
        case "$*" in
          *"get lease"*) %s ;;
          *"get secret"*) %s ;;
          *exec*) echo from-the-pod ;;
          *port-forward*) %s ;;
        esac
        """
        .formatted(lease, secret, forward);
  }

  @Test
  void theLeaderIsAskedThroughPortForward() throws Exception {
    try (AdminFixture fixture = new AdminFixture()) {
      String forward =
          "echo 'Forwarding from 127.0.0.1:"
              + fixture.server.address().port()
              + " -> 19000'; exec sleep 60";

      int exit =
          run(
              cluster("echo holdfast-7d4b9-xk2lp-0a1b2c3d", "exit 1", forward),
              "get",
              "objects",
              "--server",
              PLACE,
              "--context",
              "staging");

      assertThat(captured.err()).isEmpty();
      assertThat(exit).isZero();
      assertThat(captured.out()).contains("HTTPProxy");
      assertThat(calls())
          .contains(
              "--context=staging get lease holdfast -n infra -o=jsonpath={.spec.holderIdentity}",
              "--context=staging get secret holdfast-admin -n infra",
              "--context=staging exec -n infra holdfast-7d4b9-xk2lp -c holdfast",
              "--context=staging port-forward -n infra pod/holdfast-7d4b9-xk2lp :19000");
    }
  }

  @Test
  void whatKubectlSaysIsShown() throws IOException {
    int exit =
        run(
            cluster("echo 'Error: leases \"holdfast\" not found' >&2; exit 1", "", ""),
            "get",
            "objects",
            "--server",
            PLACE);

    assertThat(exit).isEqualTo(1);
    assertThat(captured.err())
        .isEqualTo("holdfast: kubectl get lease failed: Error: leases \"holdfast\" not found\n");
  }

  @Test
  void aLeaseThatNobodyHoldsIsSaid() throws IOException {
    assertThat(run(cluster("echo", "", ""), "get", "holds", "--server", PLACE)).isEqualTo(1);
    assertThat(captured.err())
        .isEqualTo("holdfast: Lease infra/holdfast: no replica of Holdfast leads\n");
  }

  @Test
  void aForwardThatFailsIsSaid() throws IOException {
    int exit =
        run(
            cluster(
                "echo holdfast-a-0a1b2c3d",
                "printf %s dG9rZW4=",
                "echo 'error: unable to forward' >&2; exit 1"),
            "get",
            "objects",
            "--server",
            PLACE);

    assertThat(exit).isEqualTo(1);
    assertThat(captured.err())
        .isEqualTo("holdfast: kubectl port-forward failed: error: unable to forward\n");
    assertThat(calls()).doesNotContain("exec");
  }

  @Test
  void aMachineWithoutKubectlIsTold() {
    assertThat(
            captured.run(
                Map.of("KUBECTL", directory.resolve("none").toString()),
                "get",
                "objects",
                "--server",
                PLACE))
        .isEqualTo(1);
    assertThat(captured.err()).contains("(expected: kubectl on the PATH, or its path in KUBECTL)");
  }

  @Test
  void aContextNeedsACluster() {
    assertThat(captured.run("get", "objects", "--context", "staging")).isEqualTo(2);
    assertThat(captured.err())
        .startsWith(
            "holdfast: --context: staging without a cluster (expected: --server"
                + " kubernetes:NAMESPACE/NAME)");
  }
}
