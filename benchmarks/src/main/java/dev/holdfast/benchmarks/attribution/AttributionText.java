// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.benchmarks.attribution;

import dev.holdfast.benchmarks.attribution.AttributionResult.Cell;
import dev.holdfast.benchmarks.attribution.AttributionResult.Confirmation;
import dev.holdfast.benchmarks.attribution.AttributionResult.PerPush;
import dev.holdfast.benchmarks.report.Samples;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** A result for people. */
final class AttributionText {
  private AttributionText() {}

  static String render(AttributionResult result, AttributionOptions options) {
    StringBuilder text = new StringBuilder();
    result.setting().forEach(line -> text.append(line).append('\n'));
    text.append("\npushes after the rejection: mean / most (bound), over as many seeds\n");
    text.append(String.format(Locale.ROOT, "%10s %7s", "changes", "seeds"));
    for (int badObjects : options.badObjects()) {
      text.append(String.format(Locale.ROOT, " %20s", badObjects + " bad"));
    }
    text.append('\n');
    for (int size : options.sizes()) {
      text.append(String.format(Locale.ROOT, "%,10d %7d", size, options.seeds(size)));
      for (int badObjects : options.badObjects()) {
        text.append(String.format(Locale.ROOT, " %20s", cell(result.cell(size, badObjects))));
      }
      text.append('\n');
    }
    boolean met = result.cells().stream().allMatch(Cell::isMet);
    text.append("bound d(ceil(log2 n)+1): ").append(met ? "met" : "missed").append("\n\n");
    text.append("per push of a search, 1 bad: median [lower .. upper quartile]\n");
    text.append(
        String.format(Locale.ROOT, "%10s %10s %32s %32s%n", "objects", "changed", "CPU ms", "KiB"));
    result.perPush().forEach(row -> text.append(line(row)));
    text.append("\nround trips until committed, until all proxies run it, and pushes:\n");
    text.append(
        String.format(
            Locale.ROOT,
            "%10s %10s %7s %24s %24s%n",
            "proxies",
            "changed",
            "bad",
            "one proxy decides",
            "a second one confirms"));
    result.confirmations().forEach(row -> text.append(line(row)));
    return text.toString().replace(System.lineSeparator(), "\n");
  }

  private static String cell(@Nullable Cell cell) {
    return cell == null
        ? "-"
        : String.format(Locale.ROOT, "%.1f / %d (%d)", cell.mean(), cell.most(), cell.bound());
  }

  private static String line(PerPush row) {
    return String.format(
        Locale.ROOT,
        "%,10d %,10d %32s %32s%n",
        row.served(),
        row.changed(),
        samples(row.cpuMillis(), "%,.2f"),
        samples(row.kibibytes(), "%,.0f"));
  }

  private static String line(Confirmation row) {
    return String.format(
        Locale.ROOT,
        "%,10d %,10d %7d %24s %24s%n",
        row.proxies(),
        row.changed(),
        row.badObjects(),
        cost(row.alone()),
        cost(row.confirmed()));
  }

  private static String cost(ConfirmationRun.Cost cost) {
    return "%d, %d, %d".formatted(cost.untilCommitted(), cost.untilServed(), cost.pushes());
  }

  private static String samples(Samples samples, String format) {
    List<Double> values = List.of(samples.median(), samples.quantile(0.25), samples.quantile(0.75));
    return String.format(
        Locale.ROOT, format + " [" + format + " .. " + format + "]", values.toArray());
  }
}
