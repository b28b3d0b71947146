// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.interop.envoy;

import com.google.gson.Gson;
import com.google.gson.GsonBuilder;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * A request as a {@link Backend} saw it.
 *
 * @param backend who saw it
 * @param protocol {@code HTTP/1.1} or {@code HTTP/2.0}
 * @param method GET, POST, ...
 * @param path path and query
 * @param headers by name in lower case, sorted
 * @param body content as text
 * @param sni the server name that was asked for; empty without TLS
 * @param client the subject of the client's certificate; empty without one
 */
public record Echo(
    String backend,
    String protocol,
    String method,
    String path,
    Map<String, List<String>> headers,
    String body,
    String sni,
    String client) {
  private static final Gson GSON = new GsonBuilder().disableHtmlEscaping().create();

  static Echo parse(String json) {
    return GSON.fromJson(json, Echo.class);
  }

  String json() {
    return GSON.toJson(this);
  }

  /** A header; empty if it is not there, joined with commas if it is there several times. */
  public String header(String name) {
    return String.join(",", headers.getOrDefault(name.toLowerCase(Locale.ROOT), List.of()));
  }

  /** The Host header, or HTTP/2's {@code :authority}. */
  public String host() {
    return header("host");
  }
}
