// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.testkit.envoy;

import java.util.Collections;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;

/**
 * A request to ask {@link FakeEnvoy#route} about.
 *
 * @param listener which listener it arrives at; empty for the first that has HTTP
 * @param sni the server name of its TLS connection; empty without TLS
 * @param method GET, POST, ...
 * @param host the Host header
 * @param path path and query
 * @param headers further headers, by name in lower case
 */
public record Request(
    String listener,
    String sni,
    String method,
    String host,
    String path,
    Map<String, String> headers) {

  public Request {
    headers = Collections.unmodifiableMap(new TreeMap<>(headers));
  }

  public static Request of(String host, String path) {
    return new Request("", "", "GET", host, path, Map.of());
  }

  /** At a certain listener. */
  public Request at(String name) {
    return new Request(name, sni, method, host, path, headers);
  }

  /** With TLS. */
  public Request sni(String name) {
    return new Request(listener, name, method, host, path, headers);
  }

  public Request method(String name) {
    return new Request(listener, sni, name, host, path, headers);
  }

  public Request header(String name, String value) {
    Map<String, String> more = new TreeMap<>(headers);
    more.put(name.toLowerCase(Locale.ROOT), value);
    return new Request(listener, sni, method, host, path, more);
  }

  String pathOnly() {
    int query = path.indexOf('?');
    return query < 0 ? path : path.substring(0, query);
  }
}
