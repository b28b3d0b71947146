// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.server.admin;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.util.Map;

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

  /** A sample; labels are names and values in turn. */
  PrometheusText sample(Number value, String... labels) {
    return write("", value, labels);
  }

  /** A sample of a family that has several, such as {@code _sum}. */
  PrometheusText part(String suffix, Number value, String... labels) {
    return write(suffix, value, labels);
  }

  /** One sample per entry, in the order of the map. */
  PrometheusText samples(String label, Map<String, ? extends Number> values) {
    values.forEach((labelValue, value) -> sample(value, label, labelValue));
    return this;
  }

  private PrometheusText write(String suffix, Number value, String... labels) {
    text.append(family).append(suffix);
    for (int i = 0; i < labels.length; i += 2) {
      text.append(i == 0 ? '{' : ',').append(labels[i]).append("=\"");
      text.append(escape(labels[i + 1], /* quoted= */ true)).append('"');
    }
    text.append(labels.length == 0 ? "" : "}");
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
