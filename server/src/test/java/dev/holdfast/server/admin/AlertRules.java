// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.server.admin;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.BinaryOperator;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The alerting rules of deploy/monitoring, and as much of Prometheus as those about the state of a
 * moment need: comparisons of a metric, of its sum or of its maximum with a number, joined by
 * {@code or}. Those with functions of time are left to promtool.
 */
record AlertRules(SortedMap<String, String> expressions) {
  private static final Path FILE = Path.of("..", "deploy", "monitoring", "alerts.yaml");
  private static final Pattern OF_TIME = Pattern.compile("\\b(?:increase|time)\\(");
  private static final Pattern RULE =
      Pattern.compile("- alert: (\\w+)\\n(?:\\s+#.*\\n)?\\s+expr: ([^\\n]+)\\n");
  private static final Pattern COMPARISON =
      Pattern.compile(
          "(?:(sum|max)\\()?(\\w+)(?:\\{(\\w+)(=~?)\"([^\"]*)\"})?\\)? (>|<|==) (\\d+)");

  /** Of two metrics with the same labels. */
  private static final Pattern PAIR = Pattern.compile("(holdfast_\\w+) < (holdfast_\\w+)");

  static AlertRules read() throws IOException {
    SortedMap<String, String> expressions = new TreeMap<>();
    Matcher rule = RULE.matcher(Files.readString(FILE));
    while (rule.find()) {
      if (!OF_TIME.matcher(rule.group(2)).find()) {
        expressions.put(rule.group(1), rule.group(2));
      }
    }
    return new AlertRules(expressions);
  }

  /** The alerts that fire, in alphabetical order. */
  List<String> firing(Map<String, Double> samples) {
    return expressions.entrySet().stream()
        .filter(rule -> isTrue(rule.getValue(), samples))
        .map(Map.Entry::getKey)
        .toList();
  }

  private static boolean isTrue(String expression, Map<String, Double> samples) {
    boolean isTrue = false;
    for (String part : expression.split(" or ", -1)) {
      Matcher pair = PAIR.matcher(part);
      if (pair.matches()) {
        isTrue |= isLess(pair.group(1), pair.group(2), samples);
        continue;
      }
      Matcher comparison = COMPARISON.matcher(part);
      if (!comparison.matches()) {
        throw new AssertionError("an expression that this test cannot read: " + part);
      }
      isTrue |= compare(comparison, samples);
    }
    return isTrue;
  }

  private static boolean isLess(String one, String other, Map<String, Double> samples) {
    return samples.entrySet().stream()
        .filter(sample -> sample.getKey().startsWith(one + "{"))
        .anyMatch(
            sample ->
                sample.getValue()
                    < samples.getOrDefault(other + sample.getKey().substring(one.length()), 0.0));
  }

  private static boolean compare(Matcher comparison, Map<String, Double> samples) {
    String metric = comparison.group(2);
    if (metric.equals("up")) {
      return false; // a metric of Prometheus itself
    }
    BinaryOperator<Double> fold = "max".equals(comparison.group(1)) ? Math::max : Double::sum;
    double bound = Double.parseDouble(comparison.group(7));
    double value =
        samples.entrySet().stream()
            .filter(sample -> isSelected(sample.getKey(), comparison))
            .map(Map.Entry::getValue)
            .reduce(fold)
            .orElseThrow(() -> new AssertionError("no such metric: " + comparison.group()));
    return switch (comparison.group(6)) {
      case ">" -> value > bound;
      case "<" -> value < bound;
      default -> value == bound;
    };
  }

  private static boolean isSelected(String sample, Matcher comparison) {
    String metric = comparison.group(2);
    String label = comparison.group(3);
    if (label == null) {
      return sample.equals(metric) || sample.startsWith(metric + "{");
    }
    String wanted =
        comparison.group(4).equals("=~") ? comparison.group(5) : Pattern.quote(comparison.group(5));
    return sample.matches(
        Pattern.quote(metric) + "\\{(?:.*,)?" + label + "=\"(?:" + wanted + ")\"(?:,.*)?}");
  }
}
