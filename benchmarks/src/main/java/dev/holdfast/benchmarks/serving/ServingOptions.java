// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.benchmarks.serving;

import dev.holdfast.benchmarks.servers.ServerProcess;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.Deque;
import java.util.List;

/**
 * What is measured.
 *
 * @param rounds how often each server is measured
 * @param warmups how many rounds before those are thrown away
 * @param refusing for how long a proxy refuses what it is sent
 * @param hosts among how many one is changed, in ascending order
 * @param changes how many are made of those, half as many before them thrown away
 * @param jvm options for the servers' JVMs
 * @param json rather than a table
 */
public record ServingOptions(
    int streams,
    int clusters,
    int rounds,
    int warmups,
    Duration refusing,
    List<Integer> hosts,
    int changes,
    List<String> jvm,
    boolean json) {

  public static final String USAGE =
      """
      usage: benchmarks/run control-plane [--quick] [--streams N] [--clusters N] [--rounds N]
                                          [--warmups N] [-o text|json]
        --quick       everything small, to see that it works
        --streams N   how many proxies are connected (default: 1000)
        --clusters N  how many clusters they are served (default: 1000)
        --rounds N    how often each server is measured (default: 15)
        --warmups N   how many rounds are thrown away before (default: 20)
        -o FORMAT     text (default) or json
      """;

  private static final ServingOptions FULL =
      new ServingOptions(
          1000,
          1000,
          15,
          20,
          Duration.ofSeconds(5),
          List.of(100, 1_000, 10_000),
          400,
          ServerProcess.JVM,
          false);

  private static final ServingOptions QUICK =
      new ServingOptions(
          20,
          30,
          1,
          0,
          Duration.ofMillis(500),
          List.of(5, 10, 20),
          10,
          ServerProcess.SMALL_JVM,
          false);

  /** Bad arguments; the message is for people. */
  static final class UsageException extends Exception {
    UsageException(String message) {
      super(message);
    }
  }

  public ServingOptions {
    hosts = List.copyOf(hosts);
    jvm = List.copyOf(jvm);
  }

  static ServingOptions parse(String... arguments) throws UsageException {
    Deque<String> left = new ArrayDeque<>(Arrays.asList(arguments));
    ServingOptions from = left.remove("--quick") ? QUICK : FULL;
    int streams = from.streams;
    int clusters = from.clusters;
    int rounds = from.rounds;
    int warmups = from.warmups;
    boolean json = false;
    while (!left.isEmpty()) {
      String option = left.remove();
      switch (option) {
        case "--streams" -> streams = number(option, left, 2);
        case "--clusters" -> clusters = number(option, left, 1);
        case "--rounds" -> rounds = number(option, left, 1);
        case "--warmups" -> warmups = number(option, left, 0);
        case "-o" -> json = json(value(option, left));
        default -> throw new UsageException("unknown option: " + option);
      }
    }
    return new ServingOptions(
        streams,
        clusters,
        rounds,
        warmups,
        from.refusing,
        from.hosts,
        from.changes,
        from.jvm,
        json);
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
      if (number >= least && number <= 10_000) {
        return number;
      }
    } catch (NumberFormatException e) {
      // the message below says it
    }
    throw new UsageException(
        "%s: %s (expected: a number from %d to 10000)".formatted(option, value, least));
  }

  private static boolean json(String value) throws UsageException {
    return switch (value) {
      case "text" -> false;
      case "json" -> true;
      default -> throw new UsageException("-o: %s (expected: text or json)".formatted(value));
    };
  }
}
