// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.controlplane.rollout;

import dev.holdfast.config.ConfigObject;
import dev.holdfast.config.Mapping;
import dev.holdfast.config.ObjectKey;
import dev.holdfast.config.Scalar;
import dev.holdfast.config.Sequence;
import dev.holdfast.config.Value;
import dev.holdfast.controlplane.snapshot.Place;
import dev.holdfast.controlplane.snapshot.Resource;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Whom the text of a rejection points at. A hint saves trials if it is right and costs one if it is
 * wrong; nothing else depends on it.
 */
final class Hints {
  private static final Pattern HOST_INDEX = Pattern.compile("VirtualHosts\\[(\\d+)\\]");
  private static final Pattern ROUTE_INDEX = Pattern.compile("Routes\\[(\\d+)\\]");

  /** What authors write that says nothing, because many write it. */
  private static final int SHORTEST = 5;

  private static final int MOST_LITERALS = 10_000;

  /** A part of a longer text that is quoted, such as the first line of a script. */
  private static final Pattern QUOTED = Pattern.compile("\"([^\"]*)\"");

  private static final String CUT = "...";
  private static final int LONG = 12;

  private Hints() {}

  /** Those of some units that the text points at. */
  static List<Unit> of(String message, Resource refused, List<Unit> suspects) {
    Set<ObjectKey> named = byIndex(message, refused);
    List<Unit> hinted = new ArrayList<>();
    for (Unit unit : suspects) {
      boolean byPlace = named.stream().anyMatch(unit::contains);
      boolean byWords = named.isEmpty() && mentions(message, unit);
      if (byPlace || byWords) {
        hinted.add(unit);
      }
    }
    return hinted.size() == suspects.size() ? List.of() : hinted;
  }

  private static Set<ObjectKey> byIndex(String message, Resource refused) {
    Matcher host = HOST_INDEX.matcher(message);
    if (!host.find()) {
      return Set.of();
    }
    Matcher route = ROUTE_INDEX.matcher(message);
    String path = "virtual_hosts[" + host.group(1) + "]";
    String inner = route.find(host.end()) ? path + ".routes[" + route.group(1) + "]" : path;
    Set<ObjectKey> found = new HashSet<>();
    for (Place place : refused.provenance().places()) {
      if (place.path().equals(inner)) {
        found.add(place.object());
      }
    }
    return found;
  }

  private static boolean mentions(String message, Unit unit) {
    List<String> quotes = quotes(message);
    return unit.objects().values().stream()
        .anyMatch(
            object ->
                !literalsIn(message, object).isEmpty()
                    || literals(object).stream()
                        .anyMatch(text -> quotes.stream().anyMatch(text::contains)));
  }

  /** What an author wrote that stands in a text as well. */
  static List<String> literalsIn(String message, ConfigObject object) {
    return literals(object).stream().filter(message::contains).toList();
  }

  /** What stands between quotation marks in a text, and is long enough to mean something. */
  private static List<String> quotes(String message) {
    List<String> quotes = new ArrayList<>();
    Matcher matcher = QUOTED.matcher(message);
    while (matcher.find()) {
      String quote = matcher.group(1);
      quotes.add(quote.endsWith(CUT) ? quote.substring(0, quote.length() - CUT.length()) : quote);
    }
    quotes.removeIf(quote -> quote.length() < LONG);
    return quotes;
  }

  /** The words of an author that are long enough to be told from those of others. */
  private static List<String> literals(ConfigObject object) {
    List<String> literals = new ArrayList<>();
    collect(object.body(), literals);
    return literals;
  }

  private static void collect(Value value, List<String> literals) {
    if (literals.size() >= MOST_LITERALS) {
      return;
    }
    if (value instanceof Mapping mapping) {
      mapping.fields().values().forEach(field -> collect(field, literals));
    } else if (value instanceof Sequence sequence) {
      sequence.elements().forEach(element -> collect(element, literals));
    } else if (value instanceof Scalar scalar
        && scalar.value() instanceof String text
        && text.length() >= SHORTEST) {
      literals.add(text);
    }
  }
}
