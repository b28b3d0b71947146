// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.cli.check;

import dev.holdfast.cli.ExitCode;
import dev.holdfast.config.ObjectKey;
import dev.holdfast.config.Position;
import java.time.Duration;
import java.util.Collections;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * What came of a check.
 *
 * @param objects all objects, and where each is written
 * @param proxies the programs that were asked, such as {@code envoy 1.39.0}
 * @param findings the worst first
 * @param isComplete whether every object was judged in time
 */
record CheckReport(
    SortedMap<ObjectKey, Position> objects,
    List<String> proxies,
    List<Finding> findings,
    boolean isComplete,
    Duration took) {
  CheckReport {
    objects = Collections.unmodifiableSortedMap(new TreeMap<>(objects));
    proxies = List.copyOf(proxies);
    findings = findings.stream().sorted(Finding.ORDER).toList();
  }

  List<Finding> of(Finding.Severity severity) {
    return findings.stream().filter(finding -> finding.severity() == severity).toList();
  }

  /** How many objects are bad, and were not before. */
  long bad() {
    return count(Finding.Severity.ERROR);
  }

  /** How many objects there are findings of. */
  long count(Finding.Severity severity) {
    return of(severity).stream()
        .map(finding -> finding.object() == null ? finding.position().source() : finding.object())
        .distinct()
        .count();
  }

  int exitCode() {
    if (!of(Finding.Severity.ERROR).isEmpty()) {
      return ExitCode.REJECTED;
    }
    return isComplete ? ExitCode.OK : ExitCode.TIMED_OUT;
  }
}
