// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.controlplane.simulation;

import dev.holdfast.config.ObjectKey;
import dev.holdfast.controlplane.report.HoldReport;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Proxies that restart or hang for reasons of their own. If that happens to two of a class in the
 * moments in which they try the same change, nobody can tell it from a change that ends them, see
 * docs/holding.md.
 */
final class BadLuck {
  private static final Pattern LOST = Pattern.compile("(\\S+) (went away|has not answered)");

  /** By node id; a process may have stolen one. */
  private final Map<String, Set<String>> struck = new HashMap<>();

  private final Set<String> explained = new TreeSet<>();

  void strikes(String node) {
    strikes(node, node);
  }

  /** A process that calls itself like another one. */
  void strikes(String node, String process) {
    struck.computeIfAbsent(node, unused -> new TreeSet<>()).add(process);
  }

  /** The objects of some holds that chance explains: it struck all proxies that were lost. */
  Set<ObjectKey> explains(Iterable<HoldReport> holds) {
    Set<ObjectKey> keys = new TreeSet<>();
    for (HoldReport hold : holds) {
      String text = hold.key() + " " + hold.generation() + " " + hold.message();
      if (hold.reason().startsWith("Proxy") && (explained.contains(text) || isChance(hold))) {
        explained.add(text);
        keys.add(hold.key());
      }
    }
    return keys;
  }

  private boolean isChance(HoldReport hold) {
    Set<String> lost = new TreeSet<>();
    for (Matcher each = LOST.matcher(hold.message()); each.find(); ) {
      lost.add(each.group(1));
    }
    Map<String, Integer> processes = new HashMap<>();
    lost.forEach(name -> processes.merge(name.replaceFirst("#\\d+$", ""), 1, Integer::sum));
    return lost.size() >= 2
        && processes.entrySet().stream()
            .allMatch(
                each -> each.getValue() <= struck.getOrDefault(each.getKey(), Set.of()).size());
  }

  /** What happens from now on is another story. */
  void atRest() {
    struck.clear();
  }
}
