// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.server.admin;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Metrics in the text format of Prometheus, version 0.0.4. Families come one after the other. */
final class PrometheusText {
  private final StringBuilder text = new StringBuilder(8192);
  private String family = "";

  /** Begins a family: the samples that follow are its own. */
  PrometheusText family(String name, String type, String help) {
    family = name;
    text.append("# HELP ").append(name).append(' ').append(escape(help, /* quoted= */ false));
    text.append("\n# TYPE ").append(name).append(' ').append(type).append('\n');
    return this;
  }

  /** A sample without labels. */
  PrometheusText sample(Number value) {
    return write("", null, "", value);
  }

  /** A sample with one label. */
  PrometheusText sample(String label, String labelValue, Number value) {
    return write("", label, labelValue, value);
  }

  /** A sample of a family that has several, such as {@code _sum}. */
  PrometheusText part(String suffix, String label, String labelValue, Number value) {
    return write(suffix, label, labelValue, value);
  }

  /** One sample per entry, in the order of the map. */
  PrometheusText samples(String label, Map<String, ? extends Number> values) {
    values.forEach((labelValue, value) -> sample(label, labelValue, value));
    return this;
  }

  private PrometheusText write(
      String suffix, @Nullable String label, String labelValue, Number value) {
    text.append(family).append(suffix);
    if (label != null) {
      text.append('{').append(label).append("=\"");
      text.append(escape(labelValue, /* quoted= */ true)).append("\"}");
    }
    text.append(' ').append(number(value)).append('\n');
    return this;
  }

  private static String number(Number value) {
    return value.toString(); // what Java writes, also 1.0E-5, Prometheus reads
  }

  private static String escape(String text, boolean quoted) {
    String escaped = text.replace("\\", "\\\\").replace("\n", "\\n");
    return quoted ? escaped.replace("\"", "\\\"") : escaped;
  }

  byte[] bytes() {
    return text.toString().getBytes(UTF_8);
  }
}
