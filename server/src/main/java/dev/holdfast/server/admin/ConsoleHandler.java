// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.server.admin;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.holdfast.server.console.ConsoleFile;
import dev.holdfast.server.console.ConsoleFiles;
import dev.holdfast.server.http.HttpResponse;
import dev.holdfast.server.http.Request;
import java.util.Arrays;
import java.util.Map;

/** Serves the console's files. They hold no secrets and need no token. */
final class ConsoleHandler {
  private static final String ROOT = "/console/";

  private final ConsoleFiles files = new ConsoleFiles();

  /** Whether a path is that of a page. */
  static boolean isOne(String path) {
    return isNearby(path) || path.startsWith(ROOT);
  }

  /** Where people look for the console who do not know where it is. */
  private static boolean isNearby(String path) {
    return path.equals("/") || path.equals("/console");
  }

  /**
   * @throws HttpProblem if there is no such page
   */
  HttpResponse answer(Request request, RequestTarget target) {
    if (isNearby(target.path())) {
      // Relative, so that it also leads there through a proxy that adds a prefix.
      return new HttpResponse(
          302,
          HttpResponse.TEXT,
          "the console is at /console/\n".getBytes(UTF_8),
          Map.of("Location", "console/"));
    }
    ConsoleFile file =
        files
            .find(target.path().substring(ROOT.length()))
            .orElseThrow(
                () -> HttpProblem.notFound("path: " + target.path() + " (expected: /console/)"));
    return isKnown(request, file.tag())
        ? new HttpResponse(304, file.contentType(), new byte[0], file.headers())
        : new HttpResponse(200, file.contentType(), file.body(), file.headers());
  }

  private static boolean isKnown(Request request, String tag) {
    return request.all("If-None-Match").stream()
        .flatMap(value -> Arrays.stream(value.split(",", -1)))
        .map(value -> value.strip().replaceFirst("^W/", ""))
        .anyMatch(value -> value.equals(tag) || value.equals("*"));
  }
}
