// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.demo.process;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** A directory that is there for as long as it is needed. */
class WorkspaceTest {
  @Test
  void filesAreReplacedWholeAndNothingElseIsAmongTheObjects() throws IOException {
    try (Workspace workspace = Workspace.create()) {
      workspace.save("a.yaml", "1");
      workspace.save(Map.of("a.yaml", "2", "b.yaml", "3"));

      assertThat(workspace.objects().resolve("a.yaml")).hasContent("2");
      try (var files = Files.list(workspace.objects())) {
        assertThat(files.map(file -> file.getFileName().toString()))
            .containsExactlyInAnyOrder("a.yaml", "b.yaml");
      }
    }
  }

  @Test
  void nothingOfItIsLeft() throws IOException {
    Path objects;
    try (Workspace workspace = Workspace.create()) {
      objects = workspace.objects();
      workspace.save("a.yaml", "1");
      Files.writeString(workspace.file("log"), "2");
    }
    assertThat(objects.getParent()).doesNotExist();
  }
}
