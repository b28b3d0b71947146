// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.cli.output;

import com.google.gson.Gson;
import com.google.gson.GsonBuilder;
import com.google.gson.JsonElement;

/** JSON as it is printed: keys in the order in which they were added, nulls written out. */
public final class Json {
  private static final Gson COMPACT =
      new GsonBuilder().disableHtmlEscaping().serializeNulls().create();
  private static final Gson PRETTY =
      new GsonBuilder().disableHtmlEscaping().serializeNulls().setPrettyPrinting().create();

  private Json() {}

  /** On one line. */
  public static String line(JsonElement json) {
    return COMPACT.toJson(json);
  }

  /** Indented, over several lines. */
  public static String pretty(JsonElement json) {
    return PRETTY.toJson(json);
  }
}
