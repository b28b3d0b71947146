// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.interop;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * The tests of all modules as their sources have them, so that they can be checked without being on
 * the class path of one module.
 *
 * @param byClass simple class name to the names of its test methods
 */
public record TestSources(Map<String, Set<String>> byClass) {
  private static final Pattern TEXT =
      Pattern.compile(
          "\"\"\".*?\"\"\"|\"(?:\\\\.|[^\"\\\\])*\"|//[^\\n]*|/\\*.*?\\*/", Pattern.DOTALL);
  private static final Pattern TEST =
      Pattern.compile(
          "@(?:Test|ParameterizedTest|RepeatedTest|FuzzTest)\\b(?:(?!\\bvoid\\b).)*\\bvoid\\s+(\\w+)",
          Pattern.DOTALL);

  /** The directory that holds all modules. */
  public static Path repositoryRoot() {
    for (Path dir = Path.of("").toAbsolutePath(); dir != null; dir = dir.getParent()) {
      if (Files.exists(dir.resolve("mvnw"))) {
        return dir;
      }
    }
    throw new AssertionError("no directory above this one holds mvnw");
  }

  static TestSources scan(Path root) {
    Map<String, Set<String>> byClass = new TreeMap<>();
    for (Path module : list(root)) {
      Path sources = module.resolve("src/test/java");
      if (!Files.isDirectory(sources)) {
        continue;
      }
      try (Stream<Path> files = Files.walk(sources)) {
        files
            .filter(file -> file.toString().endsWith(".java"))
            .forEach(
                file ->
                    byClass
                        .computeIfAbsent(className(file), name -> new TreeSet<>())
                        .addAll(tests(read(file))));
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }
    return new TestSources(byClass);
  }

  /** The names of the test methods in one source file. */
  static Set<String> tests(String source) {
    return TEST.matcher(TEXT.matcher(source).replaceAll(" "))
        .results()
        .map((MatchResult match) -> match.group(1))
        .collect(Collectors.toCollection(TreeSet::new));
  }

  private static List<Path> list(Path root) {
    try (Stream<Path> children = Files.list(root)) {
      return children.sorted().toList();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static String className(Path file) {
    String name = file.getFileName().toString();
    return name.substring(0, name.length() - ".java".length());
  }

  private static String read(Path file) {
    try {
      return Files.readString(file);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
