// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.interop.demo;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A picture of what the demo printed: one page per step, one after the other. Where pictures do not
 * move, the page with the search is to be seen.
 */
final class TerminalSvg {
  private static final Pattern COLOUR = Pattern.compile("\u001b\\[([0-9]*)m");
  private static final Pattern STEP = Pattern.compile("(\\d|Holdfast|Summary)\\b.*");
  private static final String STILL = "3";

  private static final int LEFT = 22;
  private static final int TOP = 50;
  private static final int LINE = 19;
  private static final int WIDTH = 690;
  private static final double SECONDS = 6;

  private TerminalSvg() {}

  /** One screen: what is printed between two titles. */
  private record Screen(String title, List<String> lines) {}

  static String of(String printed) {
    List<Screen> screens = screens(printed);
    int rows = screens.stream().mapToInt(screen -> screen.lines.size()).max().orElseThrow();
    int height = TOP + rows * LINE;
    StringBuilder svg = new StringBuilder();
    svg.append(
        """
        <svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 %1$d %2$d" width="%1$d" height="%2$d" role="img" aria-labelledby="t">
        <title id="t">A terminal session of ./holdfast demo, step by step: a good change, a bad change among nine good ones, the search for the offending object, the hold, the fix, kill -9 of the control plane, a frozen control plane, a resource that does not exist. Thousands of calls are served and none fails.</title>
        <style>
        text { font: 13px ui-monospace, SFMono-Regular, Menlo, Consolas, "DejaVu Sans Mono", "Liberation Mono", monospace; fill: #d7dee7; white-space: pre; }
        .c1 { fill: #ffffff; font-weight: bold; } .c2 { fill: #8b98a8; } .c31 { fill: #ff7b72; } .c32 { fill: #6fcf97; } .c33 { fill: #f2c14e; }
        .s { opacity: 0; animation: s %3$ss infinite; } .still { opacity: 1; }
        @keyframes s { 0%%, %4$s%% { opacity: 1; } %5$s%%, 100%% { opacity: 0; } }
        @media (prefers-reduced-motion: reduce) { .s { animation: none; } }
        </style>
        <rect x="0.5" y="0.5" width="%6$d" height="%7$d" rx="9" fill="#111820" stroke="#3a4653"/>
        <circle cx="20" cy="17" r="5" fill="#3a4653"/><circle cx="37" cy="17" r="5" fill="#3a4653"/><circle cx="54" cy="17" r="5" fill="#3a4653"/>
        """
            .formatted(
                WIDTH,
                height,
                number(SECONDS * screens.size()),
                number(100.0 / screens.size() - 0.01),
                number(100.0 / screens.size()),
                WIDTH - 1,
                height - 1));
    for (int i = 0; i < screens.size(); i++) {
      // Begun in the past: before a beginning, what does not move would be seen through the others.
      append(svg, screens.get(i), (i - screens.size()) * SECONDS);
    }
    return svg.append("</svg>\n").toString();
  }

  private static List<Screen> screens(String printed) {
    List<Screen> screens = new ArrayList<>();
    for (String line : printed.lines().toList()) {
      if (STEP.matcher(plain(line)).matches()) {
        screens.add(new Screen(plain(line), new ArrayList<>()));
      }
      if (!screens.isEmpty()) {
        screens.get(screens.size() - 1).lines.add(line);
      }
    }
    screens.forEach(
        screen -> {
          while (screen.lines.get(screen.lines.size() - 1).isBlank()) {
            screen.lines.remove(screen.lines.size() - 1);
          }
        });
    return screens;
  }

  private static String plain(String line) {
    return COLOUR.matcher(line).replaceAll("");
  }

  private static void append(StringBuilder svg, Screen screen, double delay) {
    svg.append(
        "<g xml:space=\"preserve\" class=\"s%s\" style=\"animation-delay: %ss\">\n"
            .formatted(screen.title.startsWith(STILL) ? " still" : "", number(delay)));
    int y = TOP;
    for (String line : screen.lines) {
      if (!line.isBlank()) {
        svg.append("<text x=\"%d\" y=\"%d\">%s</text>\n".formatted(LEFT, y, spans(line)));
      }
      y += LINE;
    }
    svg.append("</g>\n");
  }

  private static String spans(String line) {
    StringBuilder spans = new StringBuilder();
    String colour = "0";
    int from = 0;
    Matcher matcher = COLOUR.matcher(line);
    while (matcher.find()) {
      span(spans, colour, line.substring(from, matcher.start()));
      colour = matcher.group(1);
      from = matcher.end();
    }
    span(spans, colour, line.substring(from));
    return spans.toString();
  }

  private static void span(StringBuilder spans, String colour, String text) {
    String escaped = text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;");
    if (!text.isEmpty()) {
      spans.append(
          colour.equals("0")
              ? escaped
              : "<tspan class=\"c" + colour + "\">" + escaped + "</tspan>");
    }
  }

  private static String number(double number) {
    return String.format(Locale.ROOT, "%.2f", number).replaceFirst("\\.?0+$", "");
  }
}
