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
 * The bundles that the error text of a rejection points at. A right hint saves trials and a wrong
 * one costs one; nothing else depends on it.
 */
public final class ErrorHints {
  /** Envoy names one place, and the route somewhere after the virtual host. */
  private static final Pattern ENVOY_HOST = Pattern.compile("VirtualHosts\\[(\\d+)\\]");

  private static final Pattern ENVOY_ROUTE = Pattern.compile("Routes\\[(\\d+)\\]");

  /** Holdfast's own client names all places at once. */
  private static final Pattern OWN_PLACE =
      Pattern.compile("virtual_hosts\\[\\d+\\](?:\\.routes\\[\\d+\\])?");

  /** Shorter texts of an author say nothing, because many authors write them. */
  private static final int SHORTEST = 5;

  private static final int MOST_LITERALS = 10_000;

  /** A quoted part of a longer text, such as the first line of a script. */
  private static final Pattern QUOTED = Pattern.compile("\"([^\"]*)\"");

  private static final String CUT = "...";
  private static final int LONG = 12;

  private ErrorHints() {}

  /** The suspects that the error text points at; none if it points at all of them. */
  static List<Bundle> of(String message, Resource refused, List<Bundle> suspects) {
    Set<ObjectKey> named = byPlace(message, refused);
    List<Bundle> hinted = new ArrayList<>();
    for (Bundle bundle : suspects) {
      boolean isMeant =
          named.isEmpty() ? mentions(message, bundle) : named.stream().anyMatch(bundle::contains);
      if (isMeant) {
        hinted.add(bundle);
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

  /** The places of a resource that an error text names, as {@link SourcePlace} writes them. */
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

  private static boolean mentions(String message, Bundle bundle) {
    List<String> quotes = quotes(message);
    return bundle.objects().values().stream()
        .anyMatch(
            object ->
                !literalsIn(message, object).isEmpty()
                    || literals(object).stream()
                        .anyMatch(text -> quotes.stream().anyMatch(text::contains)));
  }

  /** The texts of an object that occur in an error text. */
  public static List<String> literalsIn(String message, ConfigObject object) {
    return literals(object).stream().filter(message::contains).toList();
  }

  /** The quoted parts of an error text that are long enough to mean something. */
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

  /** The texts of an object that are long enough to be specific to it. */
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
