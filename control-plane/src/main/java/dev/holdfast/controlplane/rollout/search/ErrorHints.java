// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.controlplane.rollout.search;

import dev.holdfast.config.ConfigObject;
import dev.holdfast.config.Mapping;
import dev.holdfast.config.ObjectKey;
import dev.holdfast.config.Scalar;
import dev.holdfast.config.Sequence;
import dev.holdfast.config.Value;
import dev.holdfast.controlplane.rollout.selection.Bundle;
import dev.holdfast.controlplane.snapshot.Resource;
import dev.holdfast.controlplane.snapshot.SourcePlace;
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
public final class ErrorHints {
  /** Envoy tells of one place, and of the route some way behind the host. */
  private static final Pattern ENVOY_HOST = Pattern.compile("VirtualHosts\\[(\\d+)\\]");

  private static final Pattern ENVOY_ROUTE = Pattern.compile("Routes\\[(\\d+)\\]");

  /** Holdfast's own client tells of all places at once. */
  private static final Pattern OWN_PLACE =
      Pattern.compile("virtual_hosts\\[\\d+\\](?:\\.routes\\[\\d+\\])?");

  /** What authors write that says nothing, because many write it. */
  private static final int SHORTEST = 5;

  private static final int MOST_LITERALS = 10_000;

  /** A part of a longer text that is quoted, such as the first line of a script. */
  private static final Pattern QUOTED = Pattern.compile("\"([^\"]*)\"");

  private static final String CUT = "...";
  private static final int LONG = 12;

  private ErrorHints() {}

  /** Those of some units that the text points at. */
  static List<Bundle> of(String message, Resource refused, List<Bundle> suspects) {
    Set<ObjectKey> named = byPlace(message, refused);
    List<Bundle> hinted = new ArrayList<>();
    for (Bundle unit : suspects) {
      boolean isMeant =
          named.isEmpty() ? mentions(message, unit) : named.stream().anyMatch(unit::contains);
      if (isMeant) {
        hinted.add(unit);
      }
    }
    return hinted.size() == suspects.size() ? List.of() : hinted;
  }

  private static Set<ObjectKey> byPlace(String message, Resource refused) {
    Set<String> paths = paths(message);
    if (paths.isEmpty()) {
      return Set.of();
    }
    Set<ObjectKey> found = new HashSet<>();
    for (SourcePlace place : refused.provenance().places()) {
      if (paths.contains(place.path())) {
        found.add(place.object());
      }
    }
    return found;
  }

  /** The parts of a resource that a text tells of, as {@link SourcePlace} writes them. */
  private static Set<String> paths(String message) {
    Set<String> paths = new HashSet<>();
    OWN_PLACE.matcher(message).results().forEach(place -> paths.add(place.group()));
    Matcher host = ENVOY_HOST.matcher(message);
    if (host.find()) {
      Matcher route = ENVOY_ROUTE.matcher(message);
      String path = "virtual_hosts[" + host.group(1) + "]";
      paths.add(route.find(host.end()) ? path + ".routes[" + route.group(1) + "]" : path);
    }
    return paths;
  }

  private static boolean mentions(String message, Bundle unit) {
    List<String> quotes = quotes(message);
    return unit.objects().values().stream()
        .anyMatch(
            object ->
                !literalsIn(message, object).isEmpty()
                    || literals(object).stream()
                        .anyMatch(text -> quotes.stream().anyMatch(text::contains)));
  }

  /** What an author wrote that stands in a text as well. */
  public static List<String> literalsIn(String message, ConfigObject object) {
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
