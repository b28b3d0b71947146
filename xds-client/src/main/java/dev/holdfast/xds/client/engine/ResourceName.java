// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.xds.client.engine;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A resource name split into who answers for it and the form in which two spellings of one name are
 * equal (gRFC A47, xRFC TP1).
 *
 * @param authority null for names without one
 * @param canonical the name with its context parameters sorted by key
 */
record ResourceName(@Nullable String authority, String canonical) {
  private static final String SCHEME = "xdstp:";

  /** A name that starts like an xdstp name but is none. */
  static final class MalformedException extends Exception {
    private static final long serialVersionUID = 1L;

    private final String reason;

    MalformedException(String reason) {
      super(reason);
      this.reason = reason;
    }

    String reason() {
      return reason;
    }
  }

  static boolean isFederated(String name) {
    return name.startsWith(SCHEME);
  }

  /**
   * @param typeName the type the resource must have, without host
   */
  static ResourceName parse(String name, String typeName, boolean federation)
      throws MalformedException {
    if (!federation || !isFederated(name)) {
      return new ResourceName(null, name);
    }
    String rest = name.substring(SCHEME.length());
    if (!rest.startsWith("//")) {
      throw malformed(name);
    }
    int path = rest.indexOf('/', 2);
    if (path < 0) {
      throw malformed(name);
    }
    String authority = rest.substring(2, path);
    int fragment = rest.indexOf('#', path);
    String tail = fragment < 0 ? "" : rest.substring(fragment);
    String beforeFragment = fragment < 0 ? rest : rest.substring(0, fragment);
    int query = beforeFragment.indexOf('?', path);
    String typeAndId =
        query < 0 ? beforeFragment.substring(path + 1) : beforeFragment.substring(path + 1, query);
    int slash = typeAndId.indexOf('/');
    if (slash <= 0 || slash == typeAndId.length() - 1) {
      throw malformed(name);
    }
    if (!typeAndId.substring(0, slash).equals(typeName)) {
      throw new MalformedException(
          "type " + typeAndId.substring(0, slash) + " in the name (expected: " + typeName + ")");
    }
    String parameters =
        query < 0 ? "" : canonicalParameters(name, beforeFragment.substring(query + 1));
    return new ResourceName(
        authority, SCHEME + "//" + authority + "/" + typeAndId + parameters + tail);
  }

  private static String canonicalParameters(String name, String query) throws MalformedException {
    if (query.isEmpty()) {
      return "";
    }
    List<String> parameters = new ArrayList<>(List.of(query.split("&", -1)));
    for (String parameter : parameters) {
      if (parameter.indexOf('=') <= 0) {
        throw malformed(name);
      }
    }
    parameters.sort(
        Comparator.comparing((String parameter) -> parameter.substring(0, parameter.indexOf('=')))
            .thenComparing(Comparator.naturalOrder()));
    return "?" + String.join("&", parameters);
  }

  private static MalformedException malformed(String name) {
    return new MalformedException(
        "malformed name " + name + " (expected: xdstp://AUTHORITY/TYPE/ID[?KEY=VALUE&...])");
  }
}
