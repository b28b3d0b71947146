// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.demo.process;

import java.io.IOException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** A temporary directory: the objects that are served, and whatever processes write. */
public final class Workspace implements AutoCloseable {
  private final Path root;

  private Workspace(Path root) {
    this.root = root;
  }

  public static Workspace create() throws IOException {
    Workspace workspace = new Workspace(Files.createTempDirectory("holdfast-demo-"));
    Files.createDirectory(workspace.objects());
    return workspace;
  }

  /** What is served. */
  public Path objects() {
    return root.resolve("objects");
  }

  /** A file that is not served. */
  public Path file(String name) {
    return root.resolve(name);
  }

  /** Puts a file among the objects, whole and at once, as editors do. */
  public void save(String name, String text) throws IOException {
    save(Map.of(name, text));
  }

  /** Puts files among the objects, each whole and at once, and all in no time. */
  public void save(Map<String, String> files) throws IOException {
    Map<Path, Path> drafts = new LinkedHashMap<>();
    for (Map.Entry<String, String> file : files.entrySet()) {
      Path draft = file("draft-" + file.getKey());
      Files.writeString(draft, file.getValue());
      drafts.put(draft, objects().resolve(file.getKey()));
    }
    for (Map.Entry<Path, Path> draft : drafts.entrySet()) {
      Files.move(
          draft.getKey(),
          draft.getValue(),
          StandardCopyOption.ATOMIC_MOVE,
          StandardCopyOption.REPLACE_EXISTING);
    }
  }

  /** Removes everything. */
  @Override
  public void close() throws IOException {
    Files.walkFileTree(
        root,
        new SimpleFileVisitor<>() {
          @Override
          public FileVisitResult visitFile(Path file, BasicFileAttributes attributes)
              throws IOException {
            Files.delete(file);
            return FileVisitResult.CONTINUE;
          }

          @Override
          public FileVisitResult postVisitDirectory(Path directory, @Nullable IOException e)
              throws IOException {
            Files.delete(directory);
            return FileVisitResult.CONTINUE;
          }
        });
  }
}
