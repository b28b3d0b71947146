// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.server.options;

import dev.holdfast.base.Problem;
import dev.holdfast.config.LocatedProblem;
import dev.holdfast.config.Mapping;
import dev.holdfast.config.Position;
import dev.holdfast.config.Scalar;
import dev.holdfast.config.Value;
import dev.holdfast.config.files.Documents;
import dev.holdfast.config.files.YamlReader;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * The options in a YAML file, {@code holdfast.yaml}. What is not understood is refused, with its
 * place: an option that is misspelled must not count as not written. Paths are relative to the
 * file.
 */
public final class OptionsFile {
  /** Every option by its path. */
  private static final List<String> OPTIONS =
      List.of(
          "admin.address",
          "admin.token",
          "admin.tokenFile",
          "http.address",
          "https.address",
          "ingressClass",
          "rollout.deletionBrake",
          "rollout.disagreement",
          "source.directory",
          "source.kubernetes.context",
          "source.kubernetes.kubeconfig",
          "source.kubernetes.namespaces",
          "source.limits",
          "source.type",
          "state.path",
          "xds.address");

  private final Path file;
  private final List<LocatedProblem> problems = new ArrayList<>();
  private final Map<String, Scalar> values = new TreeMap<>();

  private OptionsFile(Path file) {
    this.file = file;
  }

  /**
   * @throws StartException if the file cannot be read or understood, with all that is wrong
   */
  public static PartialOptions read(Path file) throws StartException {
    return new OptionsFile(file).options(content(file));
  }

  private static byte[] content(Path file) throws StartException {
    try {
      if (Files.size(file) > YamlReader.MOST_BYTES) {
        throw new StartException(file + ": too large (expected: a file with options)");
      }
      return Files.readAllBytes(file);
    } catch (NoSuchFileException e) {
      throw new StartException(file + ": no such file", e);
    } catch (IOException e) {
      throw new StartException(file + ": cannot be read: " + e.getMessage(), e);
    }
  }

  private PartialOptions options(byte[] content) throws StartException {
    Documents documents = YamlReader.read(file.toString(), content);
    problems.addAll(documents.problems());
    if (documents.documents().size() > 1) {
      problem(
          "", documents.documents().get(1).position(), "a second YAML document (expected: one)");
    } else if (!documents.documents().isEmpty()) {
      collect("", documents.documents().get(0));
    }
    PartialOptions options =
        new PartialOptions(
            take("source.directory", this::path),
            take("state.path", text -> StateOptions.parse(text, this::path)),
            take("xds.address", ListenAddress::parse),
            take("admin.address", ListenAddress::parse),
            token(),
            take("http.address", ListenAddress::parse),
            take("https.address", ListenAddress::parse),
            take("ingressClass", OptionsFile::word),
            take("rollout.disagreement", DisagreementOption::parse),
            take("rollout.deletionBrake", BrakeOption::parse),
            take("source.limits", TreeLimitsOption::parse),
            new ClusterOptions(
                take("source.type", OptionsFile::isCluster),
                take("source.kubernetes.kubeconfig", this::path),
                take("source.kubernetes.context", OptionsFile::word),
                take("source.kubernetes.namespaces", ClusterOptions::names)));
    if (!problems.isEmpty()) {
      throw new StartException(
          problems.stream()
              .sorted((a, b) -> a.position().compareTo(b.position()))
              .map(LocatedProblem::toString)
              .collect(Collectors.joining("; ")));
    }
    return options;
  }

  /** Notes the options under a path, and everything there that is none. */
  private void collect(String path, Value value) {
    if (value instanceof Scalar scalar && scalar.value() == null) {
      return; // as good as not written
    }
    if (OPTIONS.contains(path)) {
      if (value instanceof Scalar scalar && scalar.value() instanceof String) {
        values.put(path, scalar);
      } else {
        problem(path, value.position(), "not a string (expected: a string; put it in quotes)");
      }
    } else if (value instanceof Mapping mapping) {
      mapping.fields().forEach((name, field) -> collect(path, name, field, mapping));
    } else {
      problem(path, value.position(), "not a mapping (expected: " + names(path) + ")");
    }
  }

  private void collect(String path, String name, Value field, Mapping mapping) {
    String inner = path.isEmpty() ? name : path + "." + name;
    boolean known = OPTIONS.stream().anyMatch(option -> (option + ".").startsWith(inner + "."));
    if (known) {
      collect(inner, field);
    } else {
      problem(inner, mapping.keyPosition(name), "unknown option (expected: " + names(path) + ")");
    }
  }

  /** What may stand under a path. */
  private static String names(String path) {
    String prefix = path.isEmpty() ? "" : path + ".";
    TreeSet<String> names = new TreeSet<>();
    for (String option : OPTIONS) {
      if (option.startsWith(prefix)) {
        names.add(option.substring(prefix.length()).split("\\.", 2)[0]);
      }
    }
    return (names.size() == 1 ? "" : "one of ") + String.join(", ", names);
  }

  private <T> @Nullable T take(String path, Function<String, T> reader) {
    Scalar value = values.get(path);
    if (value == null) {
      return null;
    }
    try {
      return reader.apply((String) value.value());
    } catch (IllegalArgumentException e) {
      problem(path, value.position(), String.valueOf(e.getMessage()));
      return null;
    }
  }

  private Path path(String text) {
    if (text.isEmpty() || text.indexOf('\0') >= 0) {
      throw new IllegalArgumentException("'" + text + "' (expected: a path)");
    }
    return file.resolveSibling(text);
  }

  private static boolean isCluster(String text) {
    if (!text.equals("directory") && !text.equals("kubernetes")) {
      throw new IllegalArgumentException("'" + text + "' (expected: directory or kubernetes)");
    }
    return text.equals("kubernetes");
  }

  private static String word(String text) {
    if (text.isBlank()) {
      throw new IllegalArgumentException("'" + text + "' (expected: a name)");
    }
    return text;
  }

  private @Nullable String token() throws StartException {
    Scalar fromFile = values.get("admin.tokenFile");
    if (fromFile != null && values.containsKey("admin.token")) {
      problem(
          "admin.tokenFile",
          fromFile.position(),
          "set together with admin.token (expected: only one of them)");
      return null;
    }
    Path tokenFile = take("admin.tokenFile", this::path);
    if (tokenFile != null) {
      return AdminToken.read(tokenFile);
    }
    return take(
        "admin.token",
        token -> {
          String problem = AdminToken.problem(token);
          if (problem != null) {
            throw new IllegalArgumentException(problem);
          }
          return token;
        });
  }

  private void problem(String path, Position position, String message) {
    problems.add(new LocatedProblem(new Problem(path, Problem.Kind.INVALID, message), position));
  }
}
