// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.xds.resources.route;

import dev.holdfast.base.Problems;
import dev.holdfast.xds.resources.decode.Decoding;
import dev.holdfast.xds.resources.decode.Text;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;

/**
 * Checks the domains of the virtual hosts of one RouteConfiguration: each is a name, a name with a
 * star for its beginning or its end, or a star; and none occurs twice, in whatever case, as it
 * would be a matter of luck which virtual host it meant.
 */
final class Domains {
  private final Set<String> seen = new HashSet<>();

  void validate(List<String> domains, Problems problems) {
    if (domains.isEmpty()) {
      problems.at("domains").required("empty (expected: at least one domain)");
    }
    for (int i = 0; i < domains.size() && !Decoding.full(problems); i++) {
      String domain = domains.get(i);
      if (!wellFormed(domain)) {
        problems
            .at("domains", i)
            .invalid(
                Text.quote(domain)
                    + " (expected: a name, with at most one star and that at either end)");
      } else if (!seen.add(domain.toLowerCase(Locale.ROOT))) {
        problems
            .at("domains", i)
            .invalid(Text.quote(domain) + " (expected: in no more than one virtual host)");
      }
    }
  }

  private static boolean wellFormed(String domain) {
    if (domain.isEmpty()) {
      return false;
    }
    int star = domain.indexOf('*');
    return star < 0
        || (star == domain.lastIndexOf('*') && (star == 0 || star == domain.length() - 1));
  }
}
