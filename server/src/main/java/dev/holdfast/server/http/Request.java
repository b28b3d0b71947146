// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.server.http;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * A request whose body, if it had one, was read and forgotten.
 *
 * @param method such as GET
 * @param uri as it was written
 * @param protocol such as HTTP/1.1
 * @param headers by name, whatever its case
 */
public record Request(
    String method, String uri, String protocol, Map<String, List<String>> headers) {
  public Request {
    Map<String, List<String>> copy = new TreeMap<>(String.CASE_INSENSITIVE_ORDER);
    headers.forEach(
        (name, values) -> copy.computeIfAbsent(name, unused -> new ArrayList<>()).addAll(values));
    headers = copy;
  }

  /** All values of a header. */
  public List<String> all(String name) {
    return headers.getOrDefault(name, List.of());
  }

  /** The value of a header that is there exactly once, else null. */
  public @Nullable String only(String name) {
    List<String> values = all(name);
    return values.size() == 1 ? values.get(0) : null;
  }
}
