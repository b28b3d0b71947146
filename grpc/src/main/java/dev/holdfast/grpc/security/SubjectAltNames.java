// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.grpc.security;

import dev.holdfast.xds.resources.matcher.StringMatcher;
import java.security.cert.CertificateParsingException;
import java.security.cert.X509Certificate;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Locale;

/** The names that a certificate was issued for, of the kinds that matchers see (gRFC A29, A101). */
record SubjectAltNames(List<Name> names) {
  private static final int DNS = 2;
  private static final int URI = 6;
  private static final int IP = 7;

  SubjectAltNames {
    names = List.copyOf(names);
  }

  /**
   * One name.
   *
   * @param dns whether it may have a wildcard for its first label
   */
  record Name(String value, boolean dns) {
    boolean matches(StringMatcher matcher) {
      return matcher.matches(value)
          || (dns
              && value.startsWith("*.")
              && matcher instanceof StringMatcher.Exact exact
              && coveredByWildcard(exact.value(), exact.ignoreCase()));
    }

    /** {@code *.example.com} stands for exactly one label before the dot. */
    private boolean coveredByWildcard(String host, boolean ignoreCase) {
      int dot = host.indexOf('.');
      String rest = value.substring(1);
      return dot > 0
          && (ignoreCase
              ? host.substring(dot).equalsIgnoreCase(rest)
              : host.substring(dot).equals(rest));
    }
  }

  static SubjectAltNames of(X509Certificate certificate) throws CertificateParsingException {
    List<Name> names = new ArrayList<>();
    Collection<List<?>> all = certificate.getSubjectAlternativeNames();
    if (all != null) {
      for (List<?> entry : all) {
        int kind = (Integer) entry.get(0);
        if ((kind == DNS || kind == URI || kind == IP) && entry.get(1) instanceof String value) {
          names.add(new Name(value, kind == DNS));
        }
      }
    }
    return new SubjectAltNames(names);
  }

  /** Whether one of the names passes one of the tests. */
  boolean matchAny(List<StringMatcher> matchers) {
    return names.stream().anyMatch(name -> matchers.stream().anyMatch(name::matches));
  }

  /** The names in words, as many as a reader can use. */
  String describe() {
    if (names.isEmpty()) {
      return "no names";
    }
    List<String> shown = names.stream().limit(5).map(Name::value).toList();
    return String.join(", ", shown)
        + (names.size() > shown.size()
            ? String.format(Locale.ROOT, " and %d more", names.size() - shown.size())
            : "");
  }
}
