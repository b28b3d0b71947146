// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.server.http;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.util.Map;
import java.util.TreeMap;

/** A response with everything in memory. */
public final class HttpResponse {
  public static final String JSON = "application/json; charset=utf-8";
  public static final String TEXT = "text/plain; charset=utf-8";

  private final int status;
  private final String contentType;
  private final byte[] body;
  private final Map<String, String> headers;

  /**
   * @param headers beyond those that every answer has
   */
  public HttpResponse(int status, String contentType, byte[] body, Map<String, String> headers) {
    this.status = status;
    this.contentType = contentType;
    this.body = body;
    this.headers = new TreeMap<>(headers);
  }

  public static HttpResponse json(byte[] body) {
    return new HttpResponse(200, JSON, body, Map.of());
  }

  public static HttpResponse text(int status, String text) {
    return new HttpResponse(status, TEXT, text.getBytes(UTF_8), Map.of());
  }

  public int status() {
    return status;
  }

  public String contentType() {
    return contentType;
  }

  public byte[] body() {
    return body;
  }

  public Map<String, String> headers() {
    return headers;
  }
}
