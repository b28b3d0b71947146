// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.interop.kubernetes;

import com.google.gson.JsonObject;
import com.google.gson.JsonParser;

/**
 * What an API server answered.
 *
 * @param status of HTTP
 */
public record KubeAnswer(int status, String body) {
  public boolean isOk() {
    return status >= 200 && status < 300;
  }

  /** The body, which has to be an object. */
  public JsonObject json() {
    return JsonParser.parseString(body).getAsJsonObject();
  }

  /** The same, or an error that says what was asked. */
  public KubeAnswer orFail(String what) {
    if (!isOk()) {
      throw new AssertionError(what + ": " + status + " " + body);
    }
    return this;
  }
}
