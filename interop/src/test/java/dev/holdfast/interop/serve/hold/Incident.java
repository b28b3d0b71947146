// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.interop.serve.hold;

import dev.holdfast.interop.serve.Docs;
import dev.holdfast.interop.serve.Yaml;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * What authors have, and what they make of it all at once. All names are of one round, so that
 * nothing is known of any of them before it.
 *
 * @param one the port of the backend {@code one}
 * @param two the port of the backend {@code two}
 */
record Incident(int round, int one, int two) {
  String before() {
    return Docs.of(
        Yaml.service(name("s"), one),
        Hosts.good(name("a"), name("s")),
        Hosts.good(name("b"), name("s")),
        Hosts.good(name("c"), name("s")),
        Hosts.good(name("f"), name("s")));
  }

  /** Two are bad: a change that Envoy quotes, and a new one that it does not find words for. */
  String after() {
    return Docs.of(
        Yaml.service(name("s"), one),
        Yaml.service(name("t"), two),
        Hosts.twoRoutes(name("a"), false, name("s")),
        Hosts.bad(name("b"), name("s")),
        Hosts.good(name("c"), name("s")),
        Hosts.good(name("f"), name("t")),
        Hosts.good(name("d"), name("s")),
        Hosts.badWithoutAWord(name("e"), name("s")));
  }

  /** Who may answer for the hosts that were there before, at any time. */
  SortedMap<String, Set<String>> served() {
    SortedMap<String, Set<String>> served = new TreeMap<>();
    Map.of("a", Set.of("one"), "b", Set.of("one"), "c", Set.of("one"), "f", Set.of("one", "two"))
        .forEach((name, backends) -> served.put(Hosts.fqdn(name(name)), backends));
    return served;
  }

  /** What clients see before, by host, as if it were of any round. */
  static SortedMap<String, String> answersBefore() {
    return answers("404", "200 one");
  }

  /** The same in the end. */
  static SortedMap<String, String> answersAfter() {
    return answers("200 one", "200 two");
  }

  private static SortedMap<String, String> answers(String d, String f) {
    SortedMap<String, String> answers = new TreeMap<>();
    Map.of("a", "200 one", "b", "200 one", "c", "200 one", "d", d, "e", "404", "f", f)
        .forEach((name, answer) -> answers.put(Hosts.fqdn(name), answer));
    return answers;
  }

  /** Everybody that there is in the end. */
  List<String> hosts() {
    return answersAfter().keySet().stream().map(this::name).toList();
  }

  private String name(String name) {
    return prefix() + name;
  }

  private String prefix() {
    return "r" + round + "-";
  }

  /** A text about this round, as it would be about any. */
  String ofAnyRound(String text) {
    return text.replace(prefix(), "");
  }
}
