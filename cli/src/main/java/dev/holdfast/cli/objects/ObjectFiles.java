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

/** The parameter that names files and directories of objects. */
@SuppressWarnings("NullAway.Init") // picocli sets what it must
public final class ObjectFiles {
  @Spec(Spec.Target.MIXEE)
  CommandSpec spec;

  @Parameters(
      arity = "1..*",
      paramLabel = "FILE|DIRECTORY",
      description = "YAML or JSON files with objects, or directories of such files.")
  List<Path> paths;

  /** The files and directories themselves. */
  public List<Path> paths() {
    return List.copyOf(paths);
  }

  /**
   * What is in them, good or bad.
   *
   * @throws ParameterException if there is nothing to read
   */
  public ReadResult read() {
    for (Path path : paths) {
      if (!Files.exists(path)) {
        throw bad(path + ": no such file or directory");
      }
    }
    ReadResult reading = FileSet.read(paths);
    if (reading.objects().isEmpty() && reading.problems().isEmpty()) {
      throw bad("no objects found (expected: files whose names end in .yaml, .yml or .json)");
    }
    return reading;
  }

  private ParameterException bad(String message) {
    return new ParameterException(spec.commandLine(), message);
  }
}
