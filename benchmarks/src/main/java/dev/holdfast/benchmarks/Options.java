// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.benchmarks;

import dev.holdfast.benchmarks.client.Contender;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.Deque;
import java.util.List;
import java.util.stream.Collectors;

/**
 * What the command line asks for.
 *
 * @param rounds how often each contender is measured, the costliest measurements excepted
 * @param warmups how many rounds before those are thrown away
 */
record Options(int clusters, int rounds, int warmups, List<Contender> contenders, Format format) {

  static final String USAGE =
      """
      usage: benchmarks/run [--clusters N] [--rounds N] [--warmups N] [--only NAME] [-o text|json]
        --clusters N  how many clusters are watched (default: 10000)
        --rounds N    how often each client is measured (default: 15)
        --warmups N   how many rounds are thrown away before (default: 8)
        --only NAME   measure only this client, without ratios: %s
        -o FORMAT     text (default) or json
      """
          .formatted(names());

  /** How the report is printed. */
  enum Format {
    TEXT,
    JSON
  }

  /** Bad arguments; the message is for people. */
  static final class UsageException extends Exception {
    UsageException(String message) {
      super(message);
    }
  }

  Options {
    contenders = List.copyOf(contenders);
  }

  static Options parse(String... arguments) throws UsageException {
    int clusters = 10_000;
    int rounds = 15;
    int warmups = 8;
    List<Contender> contenders = List.of(Contender.values());
    Format format = Format.TEXT;
    Deque<String> left = new ArrayDeque<>(Arrays.asList(arguments));
    while (!left.isEmpty()) {
      String option = left.remove();
      switch (option) {
        case "--clusters" -> clusters = number(option, left, 5);
        case "--rounds" -> rounds = number(option, left, 1);
        case "--warmups" -> warmups = number(option, left, 0);
        case "--only" -> contenders = List.of(contender(value(option, left)));
        case "-o" -> format = format(value(option, left));
        default -> throw new UsageException("unknown option: " + option);
      }
    }
    return new Options(clusters, rounds, warmups, contenders, format);
  }

  private static String value(String option, Deque<String> left) throws UsageException {
    if (left.isEmpty()) {
      throw new UsageException(option + ": no value (expected: one)");
    }
    return left.remove();
  }

  private static int number(String option, Deque<String> left, int least) throws UsageException {
    String value = value(option, left);
    try {
      int number = Integer.parseInt(value);
      if (number >= least && number <= 100_000) {
        return number;
      }
    } catch (NumberFormatException e) {
      // the message below says it
    }
    throw new UsageException(
        "%s: %s (expected: a number from %d to 100000)".formatted(option, value, least));
  }

  private static Contender contender(String value) throws UsageException {
    for (Contender contender : Contender.values()) {
      if (contender.text().equals(value)) {
        return contender;
      }
    }
    throw new UsageException("--only: %s (expected: %s)".formatted(value, names()));
  }

  private static Format format(String value) throws UsageException {
    return switch (value) {
      case "text" -> Format.TEXT;
      case "json" -> Format.JSON;
      default -> throw new UsageException("-o: %s (expected: text or json)".formatted(value));
    };
  }

  private static String names() {
    return Arrays.stream(Contender.values()).map(Contender::text).collect(Collectors.joining(", "));
  }
}
