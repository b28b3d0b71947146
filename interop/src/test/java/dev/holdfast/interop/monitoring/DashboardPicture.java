// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.interop.monitoring;

import com.google.gson.JsonArray;
import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * The panels of the dashboard as a web page, from what their expressions give in a Prometheus. It
 * is not how Grafana draws them; the numbers are the same.
 */
public final class DashboardPicture {
  private static final int COLUMN = 50;
  private static final int ROW = 28;
  private static final List<String> COLOURS =
      List.of("#1f77b4", "#d9480f", "#2b8a3e", "#862e9c", "#5c4b00", "#c2255c", "#0b7285");

  private final Prometheus prometheus;
  private final long from;
  private final long to;

  /**
   * @param from in seconds since 1970
   */
  public DashboardPicture(Prometheus prometheus, long from, long to) {
    this.prometheus = prometheus;
    this.from = from;
    this.to = to;
  }

  /** The panels down to a row of the grid. */
  public String html(JsonObject dashboard, int lastRow) throws Exception {
    StringBuilder html =
        new StringBuilder(
            """
            <!DOCTYPE html><html lang="en"><meta charset="utf-8"><title>Dashboard</title><style>
            body { margin: 0; font: 12px sans-serif; background: #f4f5f5; color: #24292e; }
            .note { position: absolute; top: 4px; left: 8px; color: #555; }
            .panel { position: absolute; box-sizing: border-box; background: #fff;
                     border: 1px solid #ddd; padding: 4px 8px; overflow: hidden; }
            .row { background: none; border: 0; font-weight: bold; }
            .value { font-size: 34px; text-align: center; padding-top: 12px; }
            .legend span { margin-right: 10px; }
            </style><p class="note" style="margin:0">The panels of deploy/monitoring/dashboard.json,
            drawn by a test from the results of their expressions in Prometheus. Grafana draws them
            in its own way.</p>
            """);
    for (JsonElement element : dashboard.getAsJsonArray("panels")) {
      JsonObject panel = element.getAsJsonObject();
      JsonObject place = panel.getAsJsonObject("gridPos");
      if (place.get("y").getAsInt() >= lastRow) {
        continue;
      }
      int height = place.get("h").getAsInt() * ROW - 4;
      int width = place.get("w").getAsInt() * COLUMN - 4;
      String type = panel.get("type").getAsString();
      html.append(
          String.format(
              Locale.ROOT,
              "<div class=\"panel %s\" style=\"left:%dpx;top:%dpx;width:%dpx;height:%dpx\">%s",
              type,
              place.get("x").getAsInt() * COLUMN,
              24 + place.get("y").getAsInt() * ROW,
              width,
              height,
              escape(panel.get("title").getAsString())));
      if (type.equals("stat")) {
        html.append("<div class=\"value\">").append(stat(panel)).append("</div>");
      } else if (!type.equals("row")) {
        html.append(lines(panel, width - 18, height - 50));
      }
      html.append("</div>\n");
    }
    return html.append("</html>\n").toString();
  }

  private String stat(JsonObject panel) throws Exception {
    JsonArray series = prometheus.query(expression(panel.getAsJsonArray("targets").get(0)));
    return series.isEmpty() ? "" : number(Prometheus.value(series));
  }

  private String lines(JsonObject panel, int width, int height) throws Exception {
    List<JsonObject> all = new ArrayList<>();
    List<String> names = new ArrayList<>();
    double most = 1;
    for (JsonElement target : panel.getAsJsonArray("targets")) {
      for (JsonElement one : prometheus.queryRange(expression(target), from, to)) {
        JsonObject series = one.getAsJsonObject();
        all.add(series);
        names.add(name(target.getAsJsonObject(), series.getAsJsonObject("metric")));
        for (JsonElement point : series.getAsJsonArray("values")) {
          most = Math.max(most, finite(point));
        }
      }
    }
    StringBuilder svg =
        new StringBuilder(
            String.format(
                Locale.ROOT,
                "<br><svg width=\"%d\" height=\"%d\"><path d=\"M0 0V%d H%d\" stroke=\"#ccc\""
                    + " fill=\"none\"/><text x=\"4\" y=\"11\" fill=\"#777\">%s</text>",
                width,
                height,
                height - 1,
                width,
                number(most)));
    StringBuilder legend = new StringBuilder("<div class=\"legend\">");
    for (int i = 0; i < all.size(); i++) {
      String colour = COLOURS.get(i % COLOURS.size());
      svg.append("<polyline fill=\"none\" stroke-width=\"2\" stroke=\"").append(colour);
      svg.append("\" points=\"");
      for (JsonElement point : all.get(i).getAsJsonArray("values")) {
        double at = point.getAsJsonArray().get(0).getAsDouble();
        svg.append(
            String.format(
                Locale.ROOT,
                "%.1f,%.1f ",
                (at - from) / (to - from) * width,
                height - 2 - finite(point) / most * (height - 6)));
      }
      svg.append("\"/>");
      legend.append("<span style=\"color:").append(colour).append("\">&#9632; ");
      legend.append(escape(names.get(i))).append("</span>");
    }
    return svg.append("</svg>").append(legend).append("</div>").toString();
  }

  private static double finite(JsonElement point) {
    String text = point.getAsJsonArray().get(1).getAsString();
    return text.matches("[+-]?Inf|NaN") ? 0 : Double.parseDouble(text);
  }

  private static String expression(JsonElement target) {
    return target.getAsJsonObject().get("expr").getAsString().replace("$job", ".*");
  }

  private static String name(JsonObject target, JsonObject labels) {
    String name = target.has("legendFormat") ? target.get("legendFormat").getAsString() : "";
    for (Map.Entry<String, JsonElement> label : labels.entrySet()) {
      name = name.replace("{{" + label.getKey() + "}}", label.getValue().getAsString());
    }
    return name.replaceAll("\\{\\{\\w+}}", "none");
  }

  private static String number(double value) {
    return value == Math.rint(value)
        ? Long.toString((long) value)
        : String.format(Locale.ROOT, "%.2f", value);
  }

  private static String escape(String text) {
    return text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;");
  }
}
