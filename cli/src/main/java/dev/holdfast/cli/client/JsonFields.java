// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.cli.client;

import com.google.gson.JsonArray;
import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import com.google.gson.JsonPrimitive;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;
import java.util.regex.Pattern;

/**
 * Reads fields of a server's JSON. A missing field, or one of another type, is not an error:
 * servers of other versions may send more or less.
 */
public final class JsonFields {
  private JsonFields() {}

  /** The objects of an array. */
  public static List<JsonObject> of(JsonObject parent, String field) {
    List<JsonObject> objects = new ArrayList<>();
    if (parent.get(field) instanceof JsonArray array) {
      for (JsonElement element : array) {
        if (element instanceof JsonObject object) {
          objects.add(object);
        }
      }
    }
    return objects;
  }

  /**
   * Only those items that are wanted, in the same shape, with all else that is told beside them.
   */
  public static JsonObject filter(JsonObject list, Predicate<JsonObject> wanted) {
    JsonArray items = new JsonArray();
    of(list, "items").stream().filter(wanted).forEach(items::add);
    JsonObject filtered = list.deepCopy();
    filtered.add("items", items);
    return filtered;
  }

  public static String text(JsonObject object, String field) {
    return object.get(field) instanceof JsonPrimitive value ? value.getAsString() : "";
  }

  public static long number(JsonObject object, String field) {
    return object.get(field) instanceof JsonPrimitive value && value.isNumber()
        ? value.getAsLong()
        : 0;
  }

  public static JsonObject object(JsonObject object, String field) {
    return object.get(field) instanceof JsonObject inner ? inner : new JsonObject();
  }

  public static List<String> texts(JsonObject object, String field) {
    List<String> texts = new ArrayList<>();
    if (object.get(field) instanceof JsonArray array) {
      array.forEach(
          element -> {
            if (element instanceof JsonPrimitive value) {
              texts.add(value.getAsString());
            }
          });
    }
    return texts;
  }

  /** Whether a name is the one that is wanted; a star stands for anything. */
  public static Predicate<String> glob(String wanted) {
    String regex = Pattern.quote(wanted).replace("*", "\\E.*\\Q");
    return Pattern.compile(regex, Pattern.DOTALL).asMatchPredicate();
  }
}
