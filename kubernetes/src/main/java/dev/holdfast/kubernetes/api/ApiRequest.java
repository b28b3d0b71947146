// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.kubernetes.api;

import static java.util.Objects.requireNonNull;

/**
 * A request to an API server.
 *
 * @param method such as {@code GET}
 * @param path with the query, such as {@code /api/v1/services?limit=500}
 * @param contentType of the body; empty if there is none
 * @param body empty if there is none
 */
public record ApiRequest(String method, String path, String contentType, String body) {
  /** The media type of server-side apply. JSON is YAML. */
  private static final String APPLY = "application/apply-patch+yaml";

  public ApiRequest {
    requireNonNull(method, "method");
    requireNonNull(path, "path");
    requireNonNull(contentType, "contentType");
    requireNonNull(body, "body");
  }

  public static ApiRequest get(String path) {
    return new ApiRequest("GET", path, "", "");
  }

  public static ApiRequest post(String path, String json) {
    return new ApiRequest("POST", path, "application/json", json);
  }

  public static ApiRequest put(String path, String json) {
    return new ApiRequest("PUT", path, "application/json", json);
  }

  /** Server-side apply: the fields that the body names belong to the manager in the query. */
  public static ApiRequest apply(String path, String json) {
    return new ApiRequest("PATCH", path, APPLY, json);
  }
}
