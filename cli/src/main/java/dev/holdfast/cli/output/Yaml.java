// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.cli.output;

import com.google.gson.JsonArray;
import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import com.google.gson.JsonPrimitive;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.snakeyaml.engine.v2.api.Dump;
import org.snakeyaml.engine.v2.api.DumpSettings;
import org.snakeyaml.engine.v2.api.RepresentToNode;
import org.snakeyaml.engine.v2.common.FlowStyle;
import org.snakeyaml.engine.v2.common.ScalarStyle;
import org.snakeyaml.engine.v2.nodes.Tag;
import org.snakeyaml.engine.v2.representer.StandardRepresenter;

/**
 * JSON as YAML that says the same: what looks like something else than a string is quoted, to
 * readers of YAML 1.1 as well, for whom {@code True}, {@code off} and a date are no strings.
 */
public final class Yaml {
  private static final Pattern NO_STRING_TO_SOME =
      Pattern.compile(
          "(?i)y|n|yes|no|on|off|true|false|null|~|=|<<|[-+.]?[0-9].*|[-+]?\\.(inf|nan)");

  private Yaml() {}

  /** Strings that look like strings to everybody. */
  private static final class Representer extends StandardRepresenter {
    Representer(DumpSettings settings) {
      super(settings);
      RepresentToNode usual = Objects.requireNonNull(representers.get(String.class));
      representers.put(
          String.class,
          data ->
              data instanceof String text && NO_STRING_TO_SOME.matcher(text).matches()
                  ? representScalar(Tag.STR, text, ScalarStyle.SINGLE_QUOTED)
                  : usual.representData(data));
    }
  }

  /** Over several lines, without the last line break. */
  public static String of(JsonElement json) {
    DumpSettings settings =
        DumpSettings.builder()
            .setDefaultFlowStyle(FlowStyle.BLOCK)
            .setSplitLines(false)
            .setUseUnicodeEncoding(true)
            .build();
    return new Dump(settings, new Representer(settings)).dumpToString(plain(json)).stripTrailing();
  }

  private static @Nullable Object plain(JsonElement json) {
    if (json instanceof JsonObject object) {
      Map<String, @Nullable Object> map = new LinkedHashMap<>();
      object.entrySet().forEach(entry -> map.put(entry.getKey(), plain(entry.getValue())));
      return map;
    }
    if (json instanceof JsonArray array) {
      List<@Nullable Object> list = new ArrayList<>();
      array.forEach(element -> list.add(plain(element)));
      return list;
    }
    return json instanceof JsonPrimitive primitive ? scalar(primitive) : null;
  }

  private static Object scalar(JsonPrimitive primitive) {
    if (primitive.isBoolean()) {
      return primitive.getAsBoolean();
    }
    if (!primitive.isNumber()) {
      return primitive.getAsString();
    }
    BigDecimal number = primitive.getAsBigDecimal();
    return number.scale() <= 0 ? number.toBigInteger() : (Object) number.doubleValue();
  }
}
