// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.cli.objects;

import dev.holdfast.config.files.FileSet;
import dev.holdfast.config.files.ReadResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** The files that a command finds objects in. */
@SuppressWarnings("NullAway.Init") // picocli sets what it must
public final class ObjectFiles {
  @Spec(Spec.Target.MIXEE)
  CommandSpec spec;

  @Parameters(
      arity = "1..*",
      paramLabel = "FILE|DIRECTORY",
      description = "The objects: YAML or JSON. Of a directory, all of its files.")
  List<Path> paths;

  /**
   * What is in them, good or bad.
   *
   * @throws ParameterException if there is nothing to read
   */
  public ReadResult read() {
    for (Path path : paths) {
      if (!Files.exists(path)) {
        throw bad(path + ": there is no such file or directory");
      }
    }
    ReadResult reading = FileSet.read(paths);
    if (reading.objects().isEmpty() && reading.problems().isEmpty()) {
      throw bad("no objects found (expected: files that end in .yaml, .yml or .json)");
    }
    return reading;
  }

  private ParameterException bad(String message) {
    return new ParameterException(spec.commandLine(), message);
  }
}
