// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.grpc.libraries;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Whether the libraries on the class path will do. An application that pins older ones would
 * otherwise learn of it by a {@link LinkageError} somewhere inside of a channel, which gRPC takes
 * for a defect, or by calls that never end.
 *
 * <p>This class, and what runs before it, uses nothing that the oldest gRPC still in use has not.
 */
public final class LibraryCheck {
  private static final String ADVICE =
      "; raise it in the build of the application"
          + " (for gRPC: import dev.holdfast:holdfast-bom before other BOMs)";

  /** Generated code that refuses to run with other versions does so when it is initialized. */
  private static final List<String> GENERATED =
      List.of(
          "io.envoyproxy.envoy.service.discovery.v3.DiscoveryRequest",
          "io.envoyproxy.envoy.config.listener.v3.Listener",
          "io.envoyproxy.envoy.config.cluster.v3.Cluster");

  private LibraryCheck() {}

  private static final class OfThisProcess {
    static final @Nullable String PROBLEM = problem(LibraryCheck.class.getClassLoader());
  }

  /** What is wrong, in one line, or null. Looked at once. */
  public static @Nullable String problem() {
    return OfThisProcess.PROBLEM;
  }

  /** Throws what is wrong. */
  public static void require() {
    String problem = problem();
    if (problem != null) {
      throw new IllegalStateException(problem);
    }
  }

  static @Nullable String problem(ClassLoader loader) {
    Map<String, List<String>> found = new LinkedHashMap<>();
    for (Library library : Library.ALL) {
      String version = library.problem(loader);
      if (version != null) {
        found
            .computeIfAbsent(library.expected(), expected -> new ArrayList<>())
            .add(library.group() + ":" + library.artifact() + " " + version);
      }
    }
    if (!found.isEmpty()) {
      return found.entrySet().stream()
          .map(each -> String.join(", ", each.getValue()) + " (expected: " + each.getKey() + ")")
          .collect(Collectors.joining("; ", "on the class path: ", ADVICE));
    }
    try {
      for (String name : GENERATED) {
        Class.forName(name, /* initialize= */ true, loader);
      }
      return null;
    } catch (ClassNotFoundException | LinkageError e) {
      return describe(e, loader);
    }
  }

  /** What is said of a failure that the check did not foresee. */
  public static String describe(Throwable failure) {
    return describe(failure, LibraryCheck.class.getClassLoader());
  }

  private static String describe(Throwable failure, ClassLoader loader) {
    Throwable cause = failure instanceof ExceptionInInitializerError ? failure.getCause() : null;
    return "the libraries on the class path do not fit together: "
        + (cause == null ? failure : cause)
        + "; there are "
        + Library.ALL.stream()
            .map(library -> library.describe(loader))
            .collect(Collectors.joining(", "))
        + ADVICE;
  }
}
