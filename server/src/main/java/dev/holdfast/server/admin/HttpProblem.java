// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.server.admin;

import dev.holdfast.server.http.HttpResponse;
import java.util.List;
import java.util.Map;

/** The error response of a request. It has no stack trace. */
final class HttpProblem extends RuntimeException {
  private final int status;
  private final String code;
  private final Map<String, String> headers;

  private HttpProblem(int status, String code, String message, Map<String, String> headers) {
    super(message, null, /* enableSuppression= */ false, /* writableStackTrace= */ false);
    this.status = status;
    this.code = code;
    this.headers = headers;
  }

  static HttpProblem badRequest(String message) {
    return new HttpProblem(400, "BAD_REQUEST", message, Map.of());
  }

  static HttpProblem unauthorized() {
    return new HttpProblem(
        401,
        "UNAUTHORIZED",
        "missing or wrong token (expected: the header 'Authorization: Bearer TOKEN')",
        Map.of("WWW-Authenticate", "Bearer realm=\"holdfast\""));
  }

  static HttpProblem forbiddenHost(String host) {
    return new HttpProblem(
        403,
        "HOST_NOT_ALLOWED",
        "host: " + host + " (expected: localhost or a loopback address)",
        Map.of());
  }

  static HttpProblem forbidden(String code, String message) {
    return new HttpProblem(403, code, message, Map.of());
  }

  static HttpProblem notFound(String message) {
    return new HttpProblem(404, "NOT_FOUND", message, Map.of());
  }

  static HttpProblem methodNotAllowed(String method, List<String> allowed) {
    return new HttpProblem(
        405,
        "METHOD_NOT_ALLOWED",
        "method: " + method + " (expected: " + String.join(" or ", allowed) + ")",
        Map.of("Allow", String.join(", ", allowed)));
  }

  static HttpProblem conflict(String message) {
    return new HttpProblem(409, "CONFLICT", message, Map.of());
  }

  static HttpProblem unsupportedMediaType(String given) {
    return new HttpProblem(
        415,
        "UNSUPPORTED_MEDIA_TYPE",
        "header Content-Type: '" + given + "' (expected: application/json)",
        Map.of());
  }

  static HttpProblem internal() {
    return new HttpProblem(500, "INTERNAL", "internal error (see the server's log)", Map.of());
  }

  static HttpProblem unavailable(String message) {
    return new HttpProblem(503, "UNAVAILABLE", message, Map.of("Retry-After", "1"));
  }

  HttpResponse answer() {
    byte[] body =
        JsonText.of(
            json -> {
              json.beginObject().name("error").beginObject();
              json.name("code").value(code);
              json.name("message").value(String.valueOf(getMessage()));
              json.endObject().endObject();
            });
    return new HttpResponse(status, HttpResponse.JSON, body, headers);
  }
}
