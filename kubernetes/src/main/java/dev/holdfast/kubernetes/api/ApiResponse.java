// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.kubernetes.api;

import static java.util.Objects.requireNonNull;

import dev.holdfast.config.Mapping;
import dev.holdfast.config.Position;
import dev.holdfast.config.Scalar;

/**
 * The answer of an API server.
 *
 * @param status the HTTP status code
 * @param body usually JSON; whatever stands between us and the API server may answer otherwise
 */
public record ApiResponse(int status, String body) {
  private static final int LONGEST_REASON = 300;

  public ApiResponse {
    requireNonNull(body, "body");
  }

  public boolean isOk() {
    return status >= 200 && status < 300;
  }

  /** What the API server says about a failure, for people, with the status code. */
  public String reason() {
    String message = "";
    try {
      if (Json.parse(body, Position.of("response")) instanceof Mapping object
          && object.get("message") instanceof Scalar text
          && text.value() instanceof String said) {
        message = said;
      }
    } catch (IllegalArgumentException e) {
      message = body.strip(); // a proxy in between, perhaps
    }
    message = message.replaceAll("\\p{Cntrl}+", " ");
    if (message.length() > LONGEST_REASON) {
      message = message.substring(0, LONGEST_REASON) + "...";
    }
    return message.isEmpty() ? "HTTP " + status : message + " (HTTP " + status + ")";
  }
}
