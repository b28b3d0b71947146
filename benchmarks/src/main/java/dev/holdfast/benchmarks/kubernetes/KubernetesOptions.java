// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.benchmarks.kubernetes;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Deque;
import java.util.List;

/**
 * What is measured.
 *
 * @param hosts how many HTTPProxies each side has, in ascending order
 * @param edits of one HTTPProxy at a time, for each side
 * @param editSeconds no more of them are begun after this time
 * @param restSeconds for how long nothing happens
 * @param stormSeconds for how long there are 100 edits per second
 * @param json rather than a table
 */
public record KubernetesOptions(
    List<Integer> hosts,
    int edits,
    int editSeconds,
    int restSeconds,
    int stormSeconds,
    boolean json) {

  public static final String USAGE =
      """
      usage: benchmarks/run kubernetes [--quick] [--hosts N,N...] [--edits N] [-o text|json]
        --quick       everything small, to see that it works
        --hosts LIST  how many HTTPProxies each side has, one after the other (default: 100,1000,10000)
        --edits N     how many single edits are measured for each side (default: 100)
        -o FORMAT     text (default) or json
      """;

  /** One that is edited, and the last one, which is not. */
  private static final int FEWEST_HOSTS = 2;

  private static final int MOST_HOSTS = 20_000;
  private static final int MOST_EDITS = 1_000;

  private static final KubernetesOptions FULL =
      new KubernetesOptions(List.of(100, 1_000, 10_000), 100, 180, 10, 10, false);

  private static final KubernetesOptions QUICK =
      new KubernetesOptions(List.of(10, 20), 3, 30, 1, 1, false);

  /** Bad arguments; the message is for people. */
  static final class UsageException extends Exception {
    UsageException(String message) {
      super(message);
    }
  }

  public KubernetesOptions {
    hosts = List.copyOf(hosts);
  }

  static KubernetesOptions parse(String... arguments) throws UsageException {
    Deque<String> left = new ArrayDeque<>(Arrays.asList(arguments));
    KubernetesOptions from = left.remove("--quick") ? QUICK : FULL;
    List<Integer> hosts = from.hosts;
    int edits = from.edits;
    boolean json = false;
    while (!left.isEmpty()) {
      String option = left.remove();
      switch (option) {
        case "--hosts" -> hosts = ascending(option, value(option, left));
        case "--edits" -> edits = number(option, value(option, left), 1, MOST_EDITS);
        case "-o" -> json = json(value(option, left));
        default -> throw new UsageException("unknown option: " + option);
      }
    }
    return new KubernetesOptions(
        hosts, edits, from.editSeconds, from.restSeconds, from.stormSeconds, json);
  }

  private static String value(String option, Deque<String> left) throws UsageException {
    if (left.isEmpty()) {
      throw new UsageException(option + ": no value (expected: one)");
    }
    return left.remove();
  }

  /** Objects are added between two sizes, and never taken away. */
  private static List<Integer> ascending(String option, String value) throws UsageException {
    List<Integer> numbers = new ArrayList<>();
    for (String each : value.split(",", -1)) {
      int next = number(option, each, FEWEST_HOSTS, MOST_HOSTS);
      if (!numbers.isEmpty() && next <= numbers.get(numbers.size() - 1)) {
        throw new UsageException(option + ": " + value + " (expected: ascending numbers)");
      }
      numbers.add(next);
    }
    return numbers;
  }

  private static int number(String option, String value, int least, int most)
      throws UsageException {
    try {
      int number = Integer.parseInt(value);
      if (number >= least && number <= most) {
        return number;
      }
    } catch (NumberFormatException e) {
      // the message below says it
    }
    throw new UsageException(
        "%s: %s (expected: a number from %d to %d)".formatted(option, value, least, most));
  }

  private static boolean json(String value) throws UsageException {
    return switch (value) {
      case "text" -> false;
      case "json" -> true;
      default -> throw new UsageException("-o: %s (expected: text or json)".formatted(value));
    };
  }
}
