// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.interop.envoy;

import java.time.Duration;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * What a {@link Backend} answers.
 *
 * @param status the code
 * @param delay how long it takes
 * @param headers more headers
 * @param body the content; null for the request as JSON
 * @param instead what happens in place of an answer
 */
public record Answer(
    int status,
    Duration delay,
    Map<String, String> headers,
    @Nullable String body,
    Instead instead) {
  /** What a backend does that does not answer. */
  public enum Instead {
    /** It does answer. */
    NOTHING,
    /** Closes the connection. */
    CLOSE,
    /** Says that it has not even looked at the request, which only HTTP/2 can. */
    REFUSE
  }

  /** 200 at once, with the request as JSON. */
  public static final Answer OK = new Answer(200, Duration.ZERO, Map.of(), null, Instead.NOTHING);

  public Answer status(int code) {
    return new Answer(code, delay, headers, body, instead);
  }

  public Answer after(Duration time) {
    return new Answer(status, time, headers, body, instead);
  }

  public Answer header(String name, String value) {
    Map<String, String> more = new TreeMap<>(headers);
    more.put(name, value);
    return new Answer(status, delay, more, body, instead);
  }

  public Answer body(String text) {
    return new Answer(status, delay, headers, text, instead);
  }

  public Answer instead(Instead what) {
    return new Answer(status, delay, headers, body, what);
  }
}
