// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.server;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.holdfast.server.options.ListenAddress;
import dev.holdfast.server.options.ServeOptions;
import dev.holdfast.server.options.StartException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A state that can be opened and not understood is told in one line, as one that is cut off is. */
class DamagedStateTest {
  @TempDir Path directory;

  @Test
  void aDamagedStateIsToldWithItsPlaceAndWhatToDo() throws Exception {
    Path objects = Files.createDirectory(directory.resolve("objects"));
    Files.writeString(
        objects.resolve("a.yaml"),
        """
        apiVersion: v1
        kind: Service
        metadata: {name: a, namespace: default}
        spec: {ports: [{port: 80}]}
        """);
    Path state = directory.resolve("state.db");
    start(objects, state).close();
    byte[] good = Files.readAllBytes(state);
    String bad = new String(good, ISO_8859_1).replace("\"conditions\"", "\"conditions ");
    assertThat(bad).isNotEqualTo(new String(good, ISO_8859_1));
    Files.write(state, bad.getBytes(ISO_8859_1));

    assertThatThrownBy(() -> start(objects, state))
        .isInstanceOf(StartException.class)
        .hasMessageStartingWith("state file " + state.toRealPath() + ": damaged: ")
        .hasMessageEndingWith(
            "(restore a backup, or move the file away to start with an empty state)");

    Files.write(state, good);
    start(objects, state).close(); // nobody holds it any more
  }

  private static Daemon start(Path objects, Path state) throws Exception {
    ListenAddress any = new ListenAddress("127.0.0.1", 0);
    return Daemon.start(
        new ServeOptions(
            objects,
            state,
            any,
            new ServeOptions.Admin(any, ""),
            new ServeOptions.Listeners(any, any, ServeOptions.DEFAULT_INGRESS_CLASS)),
        ControlPlaneFactory.embedded(),
        "test",
        new CountDownLatch(1));
  }
}
