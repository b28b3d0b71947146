// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.cli.objects;

import dev.holdfast.config.files.FileSet;
import dev.holdfast.config.files.ReadResult;
import dev.holdfast.server.options.ObjectRules;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
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
    return read(ObjectRules.none());
  }

  /**
   * What is in them, good or bad, by the rules of a server.
   *
   * @throws ParameterException if there is nothing to read
   */
  public ReadResult read(ObjectRules rules) {
    return read(paths, rules);
  }

  /** The same of other files and directories. */
  public ReadResult read(List<Path> paths, ObjectRules rules) {
    for (Path path : paths) {
      if (!Files.exists(path)) {
        throw bad(path + ": no such file or directory");
      }
    }
    ReadResult reading =
        FileSet.read(paths, file -> inTree(paths, file, rules.directory()), rules.placement());
    if (reading.objects().isEmpty() && reading.problems().isEmpty()) {
      throw bad("no objects found (expected: files whose names end in .yaml, .yml or .json)");
    }
    return reading;
  }

  /**
   * The path of a file in the served tree, or else in the directory that was named; null if it is
   * in neither.
   */
  private static @Nullable Path inTree(List<Path> paths, Path file, @Nullable Path served) {
    List<Path> roots = new ArrayList<>();
    if (served != null) {
      roots.add(served);
    }
    paths.stream().filter(Files::isDirectory).forEach(roots::add);
    Path absolute = file.toAbsolutePath().normalize();
    for (Path root : roots) {
      Path base = root.toAbsolutePath().normalize();
      if (absolute.startsWith(base)) {
        return base.relativize(absolute);
      }
    }
    return null;
  }

  private ParameterException bad(String message) {
    return new ParameterException(spec.commandLine(), message);
  }
}
