// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.server.admin;

import com.google.gson.stream.JsonWriter;
import dev.holdfast.config.ObjectKey;
import dev.holdfast.controlplane.report.DeletionsReport;
import dev.holdfast.controlplane.report.Reports;
import dev.holdfast.controlplane.report.RetryReport;
import dev.holdfast.server.http.HttpResponse;
import dev.holdfast.server.http.Request;
import java.io.IOException;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * What can be asked for, with POST.
 *
 * <p>A page from elsewhere can make a browser on this machine post to us, but only what a form
 * could: for JSON the browser asks first, and nobody here says yes. So JSON it has to be.
 */
final class Actions {
  private static final String OBJECTS = "/api/v1/objects/";
  private static final String RETRY = "/retry";
  private static final String CONFIRM_DELETIONS = "/api/v1/deletions/confirm";

  private final Reports reports;
  private final ReportTimeout reportTimeout;

  Actions(Reports reports, ReportTimeout reportTimeout) {
    this.reports = reports;
    this.reportTimeout = reportTimeout;
  }

  /** Whether a path is that of something to be done. */
  static boolean isOne(RequestTarget target) {
    return isConfirmation(target) || names(target) != null;
  }

  /** What is to be done, in words. */
  static String describe(RequestTarget target) {
    ObjectKey object = object(target);
    return isConfirmation(target) ? "confirm deletions" : "retry " + object;
  }

  /** The object that something is done to; null if it is not about one. */
  static @Nullable ObjectKey object(RequestTarget target) {
    String[] names = names(target);
    try {
      return names == null
          ? null
          : new ObjectKey(
              RequestTarget.decode(names[0]),
              RequestTarget.decode(names[1]),
              RequestTarget.decode(names[2]));
    } catch (HttpProblem | IllegalArgumentException e) {
      return null; // which its answer says
    }
  }

  private static boolean isConfirmation(RequestTarget target) {
    return target.path().equals(CONFIRM_DELETIONS);
  }

  /** The kind, namespace and name, not decoded; null if the path is another one. */
  private static String @Nullable [] names(RequestTarget target) {
    String path = target.after(OBJECTS);
    if (path == null || !path.endsWith(RETRY)) {
      return null;
    }
    String[] names = path.substring(0, path.length() - RETRY.length()).split("/", -1);
    return names.length == 3 ? names : null;
  }

  /**
   * @throws HttpProblem if it cannot be done
   */
  HttpResponse answer(Request request, RequestTarget target) {
    RequestTarget allowed = isConfirmation(target) ? target.allow("set") : target.allow();
    String[] names = names(allowed);
    if (names == null && !isConfirmation(target)) {
      throw new IllegalArgumentException("target: " + target.path() + " (expected: an action)");
    }
    if (!request.method().equals("POST")) {
      throw HttpProblem.methodNotAllowed(request.method(), List.of("POST"));
    }
    contentType(request);
    if (names == null) {
      return confirmDeletions(allowed.query().getOrDefault("set", ""));
    }
    return retry(
        new ObjectKey(
            RequestTarget.decode(names[0]),
            RequestTarget.decode(names[1]),
            RequestTarget.decode(names[2])));
  }

  private static void contentType(Request request) {
    List<String> given = request.all("Content-Type");
    if (given.size() != 1
        || !given
            .get(0)
            .split(";", 2)[0]
            .strip()
            .toLowerCase(Locale.ROOT)
            .equals("application/json")) {
      throw HttpProblem.unsupportedMediaType(String.join(", ", given));
    }
  }

  private HttpResponse confirmDeletions(String set) {
    DeletionsReport confirmed =
        reportTimeout
            .await(reports.confirmDeletions(set))
            .orElseThrow(
                () ->
                    HttpProblem.conflict(
                        "deletions: none waits, or others than those of the set (expected: what"
                            + " /api/v1/deletions lists now)"));
    return HttpResponse.json(JsonText.of(json -> DeletionJson.write(json, confirmed)));
  }

  private HttpResponse retry(ObjectKey key) {
    RetryReport report = reportTimeout.await(reports.retry(key));
    return switch (report.outcome()) {
      case UNKNOWN -> throw HttpProblem.notFound("object: " + key + ": not found");
      case NOT_HELD ->
          throw HttpProblem.conflict(
              "object: " + key + ": not held (expected: an object listed by /api/v1/holds)");
      case STARTED -> HttpResponse.json(JsonText.of(json -> write(json, report)));
    };
  }

  private static void write(JsonWriter json, RetryReport report) throws IOException {
    json.beginObject();
    ObjectJson.key(json, report.object());
    json.name("generation").value(report.generation());
    json.endObject();
  }
}
