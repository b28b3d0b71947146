// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.benchmarks;

import dev.holdfast.benchmarks.client.Contender;
import dev.holdfast.benchmarks.report.Samples;
import java.io.PrintStream;
import java.util.ArrayList;
import java.util.Collections;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.function.ToDoubleFunction;

/**
 * Lets contenders take turns: every round measures each of them once, and the next round begins
 * with another one, so that whatever drifts or disturbs falls on all alike.
 */
final class Rounds {
  private final List<Contender> contenders;
  private final int warmups;
  private final int count;
  private final PrintStream progress;

  Rounds(List<Contender> contenders, int warmups, int count, PrintStream progress) {
    this.contenders = contenders;
    this.warmups = warmups;
    this.count = count;
    this.progress = progress;
  }

  /** The same with at most this many rounds. */
  Rounds atMost(int most) {
    return new Rounds(contenders, warmups, Math.min(count, most), progress);
  }

  /** The same with at most this many rounds of warm-up. */
  Rounds atMostWarmups(int most) {
    return new Rounds(contenders, Math.min(warmups, most), count, progress);
  }

  /** The same without warm-up. */
  Rounds withoutWarmup() {
    return atMostWarmups(0);
  }

  /** The same without one contender. */
  Rounds without(Contender excluded) {
    List<Contender> others = contenders.stream().filter(c -> c != excluded).toList();
    return new Rounds(others, warmups, count, progress);
  }

  /**
   * Plays all rounds.
   *
   * @param prepare runs before each round
   * @param turn measures one contender
   */
  <M> Results<M> play(String title, Runnable prepare, Function<Contender, M> turn) {
    progress.printf("%s: %d rounds after %d ...%n", title, count, warmups);
    Map<Contender, List<M>> measured = new EnumMap<>(Contender.class);
    List<Contender> order = new ArrayList<>(contenders);
    for (int round = -warmups; round < count; round++) {
      prepare.run();
      for (Contender contender : order) {
        M result = turn.apply(contender);
        if (round >= 0) {
          measured.computeIfAbsent(contender, c -> new ArrayList<>()).add(result);
        }
      }
      Collections.rotate(order, 1);
    }
    return new Results<>(measured);
  }

  /** What the rounds gave. */
  record Results<M>(Map<Contender, List<M>> byContender) {
    /** One aspect of the rounds, for those who took part. */
    Map<Contender, Samples> map(ToDoubleFunction<M> aspect) {
      Map<Contender, Samples> samples = new EnumMap<>(Contender.class);
      byContender.forEach(
          (contender, results) ->
              samples.put(contender, new Samples(results.stream().mapToDouble(aspect).toArray())));
      return samples;
    }
  }
}
