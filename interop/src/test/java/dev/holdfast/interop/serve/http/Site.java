// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.interop.serve.http;

import dev.holdfast.interop.envoy.Http;
import java.util.Map;
import java.util.TreeMap;

/**
 * One host, asked through Envoy.
 *
 * @param http a client of Envoy's
 * @param host whom it asks for
 */
record Site(Http http, String host) {

  Http.Request get(String path) {
    return method("GET", path);
  }

  Http.Request post(String path, String body) {
    return http.post(path, body).host(host);
  }

  Http.Request method(String method, String path) {
    return http.method(method, path).host(host);
  }

  /** The same Envoy under another name. */
  Site as(String other) {
    return new Site(http, other);
  }

  /**
   * Who answers: the backend's name, or the text that Envoy answers with, or its status.
   *
   * @param headers names and values in turn
   */
  String answers(String path, String... headers) {
    Http.Request request = get(path);
    for (int i = 0; i < headers.length; i += 2) {
      request.header(headers[i], headers[i + 1]);
    }
    Http.Response response = request.send();
    if (!response.backend().isEmpty()) {
      return response.backend();
    }
    return response.status() == 200 && !response.body().isEmpty()
        ? response.body()
        : Integer.toString(response.status());
  }

  /** Asks many times; how often who answered. */
  Map<String, Integer> ask(int times, String path) {
    Map<String, Integer> counts = new TreeMap<>();
    for (int i = 0; i < times; i++) {
      counts.merge(answers(path), 1, Integer::sum);
    }
    return counts;
  }
}
