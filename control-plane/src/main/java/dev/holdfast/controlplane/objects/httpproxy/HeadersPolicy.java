// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.controlplane.objects.httpproxy;

import dev.holdfast.controlplane.objects.read.Fields;
import dev.holdfast.controlplane.objects.read.TextRules;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Headers to set and to remove. The names within a policy are unique regardless of case. */
public record HeadersPolicy(List<HeaderValue> set, List<String> remove) {
  /** Changes nothing. */
  public static final HeadersPolicy NONE = new HeadersPolicy(List.of(), List.of());

  private static final Pattern HEADER_VARIABLE = Pattern.compile("%REQ\\([A-Za-z0-9-]+\\)%");

  /** Envoy's limit. */
  private static final int MAX_HEADERS = 1000;

  /** Where the policy is written, which decides how it may change Host. */
  enum Scope {
    ROUTE_REQUEST,
    SERVICE_REQUEST,
    RESPONSE
  }

  /**
   * A policy together with what is changed by default; its own changes win.
   *
   * @param own null if there is none
   * @return null if nothing is changed
   */
  public static @Nullable HeadersPolicy withDefaults(
      @Nullable HeadersPolicy own, HeadersPolicy defaults) {
    if (defaults.equals(NONE)) {
      return own;
    }
    HeadersPolicy written = own == null ? NONE : own;
    List<HeaderValue> set = new ArrayList<>(written.set);
    for (HeaderValue header : defaults.set) {
      if (written.set.stream().noneMatch(one -> one.name().equalsIgnoreCase(header.name()))) {
        set.add(header);
      }
    }
    List<String> remove = new ArrayList<>(written.remove);
    for (String name : defaults.remove) {
      if (written.remove.stream().noneMatch(name::equalsIgnoreCase)) {
        remove.add(name);
      }
    }
    return new HeadersPolicy(set, remove);
  }

  static @Nullable HeadersPolicy request(Fields parent, Scope scope) {
    return parent.group("requestHeadersPolicy", fields -> decode(fields, scope));
  }

  static @Nullable HeadersPolicy response(Fields parent) {
    return parent.group("responseHeadersPolicy", fields -> decode(fields, Scope.RESPONSE));
  }

  private static HeadersPolicy decode(Fields fields, Scope scope) {
    Set<String> seen = new HashSet<>();
    List<HeaderValue> set = fields.groups("set", header -> set(header, scope, seen));
    List<String> remove = fields.texts("remove", TextRules.TOKEN_NAME);
    if (set.size() > MAX_HEADERS) {
      fields.invalid("set", set.size() + " headers (expected: at most " + MAX_HEADERS + ")");
    }
    Set<String> removed = new HashSet<>();
    for (int i = 0; i < remove.size(); i++) {
      String name = remove.get(i).toLowerCase(Locale.ROOT);
      if (name.equals("host")) {
        fields.invalid(
            "remove",
            i,
            "\"" + remove.get(i) + "\" (expected: another header; Host is required in requests)");
      } else if (!removed.add(name)) {
        fields.invalid("remove", i, "\"" + remove.get(i) + "\" is removed twice");
      }
    }
    return new HeadersPolicy(set, remove);
  }

  private static HeaderValue set(Fields fields, Scope scope, Set<String> seen) {
    HeaderValue header = HeaderValue.decode(fields);
    String name = header.name().toLowerCase(Locale.ROOT);
    if (!name.isEmpty() && !seen.add(name)) {
      fields.invalid("name", "\"" + header.name() + "\" is set twice");
    }
    if (name.equals("host")) {
      checkHost(fields, scope, header.value());
    }
    return header;
  }

  private static void checkHost(Fields fields, Scope scope, String value) {
    if (scope == Scope.RESPONSE) {
      fields.invalid("name", "Host (expected: another header; responses have no Host)");
    } else if (value.isEmpty()) {
      fields.invalid("value", "\"\" (expected: the host to send)");
    } else if (value.contains("%")
        && !(scope == Scope.ROUTE_REQUEST && HEADER_VARIABLE.matcher(value).matches())) {
      fields.invalid(
          "value",
          "\""
              + value
              + (scope == Scope.ROUTE_REQUEST
                  ? "\" (expected: a host, or %REQ(header)%)"
                  : "\" (expected: a host; variables are for routes)"));
    }
  }
}
