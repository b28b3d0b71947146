// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.cli.compare;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;

/** What a server does for one host on one kind of port. */
final class ServedHost {
  /** Certificates, and what counts for all routes. */
  final SortedMap<String, String> settings = new TreeMap<>();

  /** The routes by what they match, in the order in which Envoy tries them. */
  final Map<String, Route> routes = new LinkedHashMap<>();

  /**
   * One route.
   *
   * @param path what it matches, for the order
   * @param fields what it does, and what its clusters are
   */
  record Route(PathMatch path, SortedMap<String, String> fields) {}

  /**
   * The path of a route.
   *
   * @param isRegex whether its text is not known to begin a path
   * @param isExact whether the text is the whole path
   */
  record PathMatch(String text, boolean isRegex, boolean isExact) {
    /** Whether one request could match both. */
    boolean overlaps(PathMatch other) {
      if (isRegex || other.isRegex) {
        return true;
      }
      return (!other.isExact && text.startsWith(other.text))
          || (!isExact && other.text.startsWith(text))
          || text.equals(other.text);
    }
  }
}
