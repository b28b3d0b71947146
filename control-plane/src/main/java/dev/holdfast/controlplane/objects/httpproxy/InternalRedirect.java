// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.controlplane.objects.httpproxy;

import dev.holdfast.controlplane.objects.read.EnumWord;
import dev.holdfast.controlplane.objects.read.Fields;
import java.util.List;
import java.util.Set;

/**
 * Redirects of a service that the proxy follows itself.
 *
 * @param most how many redirects of one request are followed
 * @param statusCodes the responses that count as redirects; empty for 302 alone
 * @param denyRepeatedRoute whether no route is followed twice
 */
public record InternalRedirect(
    long most, List<Integer> statusCodes, CrossScheme crossScheme, boolean denyRepeatedRoute) {
  private static final Set<Long> STATUS_CODES = Set.of(301L, 302L, 303L, 307L, 308L);
  private static final long UINT32_MAX = 0xffff_ffffL;

  /** Whether a redirect from HTTP to HTTPS, or back, is followed. */
  public enum CrossScheme implements EnumWord {
    ALWAYS("Always"),
    NEVER("Never"),
    /** Only from HTTPS to HTTP. */
    SAFE_ONLY("SafeOnly");

    private final String word;

    CrossScheme(String word) {
      this.word = word;
    }

    @Override
    public String word() {
      return word;
    }
  }

  static InternalRedirect decode(Fields fields) {
    long most = fields.integer("maxInternalRedirects", 0, UINT32_MAX, 1);
    List<Long> codes = fields.integers("redirectResponseCodes", 301, 308);
    for (int i = 0; i < codes.size(); i++) {
      if (!STATUS_CODES.contains(codes.get(i))) {
        fields.invalid(
            "redirectResponseCodes", i, codes.get(i) + " (expected: 301, 302, 303, 307 or 308)");
      }
    }
    return new InternalRedirect(
        most == 0 ? 1 : most, // as in Contour: 0 counts as not set
        codes.stream().map(Long::intValue).toList(),
        fields.enumValue("allowCrossSchemeRedirect", CrossScheme.NEVER),
        fields.flag("denyRepeatedRouteRedirect"));
  }
}
