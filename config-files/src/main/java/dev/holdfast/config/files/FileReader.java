// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.config.files;

import dev.holdfast.config.ConfigObject;
import dev.holdfast.config.LocatedProblem;
import dev.holdfast.config.Position;
import dev.holdfast.config.Value;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.AccessDeniedException;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.NotDirectoryException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** Reads one file, in whatever state the file is. */
final class FileReader {
  private FileReader() {}

  static FileResult read(String source, ListedFile file) {
    return file.refusal() == null
        ? read(source, file.path())
        : broken(source, "file is not read: " + file.refusal());
  }

  static FileResult read(String source, Path file) {
    byte[] content;
    try {
      // Reading from a pipe or a device could block for ever.
      if (Files.exists(file) && !Files.isRegularFile(file)) {
        return unreadable(
            source, "not a regular file but a pipe, a socket or a device (expected: a file)");
      }
      FileStamp before = FileStamp.of(file);
      try (InputStream in = Files.newInputStream(file)) {
        content = in.readNBytes(YamlReader.MOST_BYTES + 1);
      }
      if (!FileStamp.of(file).equals(before)) {
        return unreadable(source, "the file changed while it was read");
      }
    } catch (IOException e) {
      return unreadable(source, reason(e));
    }
    return parse(source, content);
  }

  private static FileResult parse(String source, byte[] content) {
    Documents documents = YamlReader.read(source, content);
    List<ConfigObject> objects = new ArrayList<>();
    ProblemCollector collector = new ProblemCollector();
    collector.addAll(documents.problems());
    for (Value document : documents.documents()) {
      ReadResult reading = ObjectReader.read(document);
      objects.addAll(reading.objects());
      collector.addAll(reading.problems());
    }
    List<LocatedProblem> problems = collector.list();
    FileResult.State state;
    if (!documents.whole()) {
      state = FileResult.State.BROKEN;
    } else if (!problems.isEmpty()) {
      state = FileResult.State.PARTLY;
    } else if (isBlank(content)) {
      state = FileResult.State.BLANK;
    } else {
      state = FileResult.State.COMPLETE;
    }
    return new FileResult(objects, problems, state);
  }

  private static FileResult unreadable(String source, String reason) {
    return broken(source, "file cannot be read: " + reason);
  }

  private static FileResult broken(String source, String problem) {
    ProblemCollector collector = new ProblemCollector();
    collector.undecodable(Position.of(source), problem);
    return new FileResult(List.of(), collector.list(), FileResult.State.BROKEN);
  }

  private static boolean isBlank(byte[] content) {
    for (byte b : content) {
      if (b != ' ' && b != '\n' && b != '\r' && b != '\t') {
        return false;
      }
    }
    return true;
  }

  /** Why a file or directory could not be read, in a person's words. */
  static String reason(Exception e) {
    if (e instanceof DirectoryIteratorException && e.getCause() instanceof IOException cause) {
      return reason(cause);
    }
    if (e instanceof NoSuchFileException) {
      return "no such file";
    }
    if (e instanceof AccessDeniedException) {
      return "permission denied";
    }
    if (e instanceof NotDirectoryException) {
      return "not a directory";
    }
    if (e instanceof FileSystemException detailed && detailed.getReason() != null) {
      return detailed.getReason();
    }
    return String.valueOf(e.getMessage());
  }
}
