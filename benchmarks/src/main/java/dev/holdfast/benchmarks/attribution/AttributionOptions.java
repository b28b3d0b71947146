// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.benchmarks.attribution;

import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.Deque;
import java.util.List;

/**
 * What is measured.
 *
 * @param sizes how many objects are changed at once
 * @param badObjects how many of them are bad
 * @param seeds how often, each time with others that are bad; large sizes less often
 */
public record AttributionOptions(
    List<Integer> sizes, List<Integer> badObjects, int seeds, boolean json) {

  public static final String USAGE =
      """
      usage: benchmarks/run attribution [--quick] [--seeds N] [-o text|json]
        --quick    few and small, to see that it works
        --seeds N  how often each case is measured (default: 50; where it is slow, fewer)
        -o FORMAT  text (default) or json
      """;

  private static final AttributionOptions FULL =
      new AttributionOptions(
          List.of(10, 100, 1_000, 10_000), List.of(0, 1, 2, 5, 10), 50, /* json= */ false);

  private static final AttributionOptions QUICK =
      new AttributionOptions(List.of(10, 40), List.of(0, 1, 2), 3, /* json= */ false);

  /** Bad arguments; the message is for people. */
  static final class UsageException extends Exception {
    UsageException(String message) {
      super(message);
    }
  }

  public AttributionOptions {
    sizes = List.copyOf(sizes);
    badObjects = List.copyOf(badObjects);
  }

  static AttributionOptions parse(String... arguments) throws UsageException {
    Deque<String> left = new ArrayDeque<>(Arrays.asList(arguments));
    AttributionOptions from = left.remove("--quick") ? QUICK : FULL;
    int seeds = from.seeds;
    boolean json = false;
    while (!left.isEmpty()) {
      String option = left.remove();
      String value = left.isEmpty() ? "" : left.remove();
      switch (option) {
        case "--seeds" -> seeds = seeds(value);
        case "-o" -> json = json(value);
        default -> throw new UsageException("unknown option: " + option);
      }
    }
    return new AttributionOptions(from.sizes, from.badObjects, seeds, json);
  }

  /** How often a size is measured: what takes long is measured less often. */
  int seeds(int size) {
    return size < 1_000 ? seeds : Math.max(1, size < 10_000 ? seeds / 2 : seeds / 10);
  }

  private static int seeds(String value) throws UsageException {
    if (value.matches("[1-9][0-9]{0,3}")) {
      return Integer.parseInt(value);
    }
    throw new UsageException("--seeds: '%s' (expected: a number from 1 to 9999)".formatted(value));
  }

  private static boolean json(String value) throws UsageException {
    return switch (value) {
      case "text" -> false;
      case "json" -> true;
      default -> throw new UsageException("-o: '%s' (expected: text or json)".formatted(value));
    };
  }
}
