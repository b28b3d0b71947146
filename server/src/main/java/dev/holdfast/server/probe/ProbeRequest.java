// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.server.probe;

import java.util.Collections;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * A request that a route is to take.
 *
 * @param isTls whether it goes to the listener for HTTPS, with the host as its SNI
 * @param path with the query
 * @param headers by name in lower case
 */
public record ProbeRequest(
    boolean isTls, String host, String method, String path, SortedMap<String, String> headers) {
  public ProbeRequest {
    headers = Collections.unmodifiableSortedMap(new TreeMap<>(headers));
  }

  /** The path without the query. */
  String plainPath() {
    int query = path.indexOf('?');
    return query < 0 ? path : path.substring(0, query);
  }

  /** The value of a parameter of the query that was not encoded; null if it is not there. */
  @Nullable String parameter(String name) {
    int query = path.indexOf('?');
    if (query >= 0) {
      for (String each : path.substring(query + 1).split("&", -1)) {
        if (each.equals(name)) {
          return "";
        }
        if (each.startsWith(name + "=")) {
          return each.substring(name.length() + 1);
        }
      }
    }
    return null;
  }

  /** {@code GET http://shop.example.com/cart (x-canary: 1)}. */
  @Override
  public String toString() {
    StringBuilder text = new StringBuilder();
    text.append(method).append(isTls ? " https://" : " http://").append(host).append(path);
    if (!headers.isEmpty()) {
      StringBuilder all = new StringBuilder();
      headers.forEach(
          (name, value) ->
              all.append(all.isEmpty() ? "" : ", ").append(name).append(": ").append(value));
      text.append(" (").append(all).append(')');
    }
    return text.toString();
  }
}
