// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.interop.kubernetes;

import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import java.util.List;

/**
 * What an API server answered.
 *
 * @param status of HTTP
 * @param warnings what the server would show to users of kubectl
 */
public record KubeAnswer(int status, String body, List<String> warnings) {
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
