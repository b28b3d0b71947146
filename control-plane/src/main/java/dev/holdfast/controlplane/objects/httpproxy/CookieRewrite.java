// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.controlplane.objects.httpproxy;

import dev.holdfast.controlplane.objects.read.EnumWord;
import dev.holdfast.controlplane.objects.read.Fields;
import dev.holdfast.controlplane.objects.read.TextRule;
import dev.holdfast.controlplane.objects.read.TextRules;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Changes attributes of a cookie that a service sets; null fields stay as the service sent them.
 *
 * @param name of the cookie
 */
public record CookieRewrite(
    String name,
    @Nullable String path,
    @Nullable String domain,
    @Nullable Boolean secure,
    @Nullable SameSite sameSite) {
  private static final int MAX_LENGTH = 4096;

  private static final TextRule NAME =
      TextRule.matching(
          "[^()<>@,;:\\\\\"/\\[\\]?={} \\x00-\\x1f\\x7f]{1," + MAX_LENGTH + "}",
          "1 to 4096 characters that a cookie name may have");

  private static final TextRule ATTRIBUTE =
      TextRule.matching(
          "[^;\\x00-\\x1f\\x7f]{1," + MAX_LENGTH + "}",
          "1 to 4096 characters, no semicolon and no control characters");

  /** When a browser sends a cookie along with requests from other sites. */
  public enum SameSite implements EnumWord {
    STRICT("Strict"),
    LAX("Lax"),
    NONE("None");

    private final String word;

    SameSite(String word) {
      this.word = word;
    }

    @Override
    public String word() {
      return word;
    }
  }

  /** The field {@code cookieRewritePolicies} of a route or service. */
  static List<CookieRewrite> policies(Fields parent) {
    List<CookieRewrite> all = parent.groups("cookieRewritePolicies", CookieRewrite::decode);
    Map<String, Integer> seen = new LinkedHashMap<>();
    for (int i = 0; i < all.size(); i++) {
      if (seen.putIfAbsent(all.get(i).name(), i) != null) {
        parent.invalid(
            "cookieRewritePolicies",
            i,
            "a second policy for cookie \"" + all.get(i).name() + "\" (expected: one)");
      }
    }
    return all;
  }

  private static CookieRewrite decode(Fields fields) {
    CookieRewrite rewrite =
        new CookieRewrite(
            fields.requiredText("name", NAME),
            fields.group("pathRewrite", path -> path.requiredText("value", ATTRIBUTE)),
            fields.group(
                "domainRewrite", domain -> domain.requiredText("value", TextRules.HOSTNAME)),
            secure(fields),
            fields.enumValue("sameSite", SameSite.class));
    if (Stream.of("pathRewrite", "domainRewrite", "secure", "sameSite").noneMatch(fields::has)) {
      fields.invalid(
          "nothing to rewrite (expected: pathRewrite, domainRewrite, secure or sameSite)");
    }
    return rewrite;
  }

  /** Null if the attribute stays as it is. */
  private static @Nullable Boolean secure(Fields fields) {
    boolean secure = fields.flag("secure");
    return fields.has("secure") ? Boolean.valueOf(secure) : null;
  }

  /** The policies of a route with those of a service, whose attributes win. */
  public static List<CookieRewrite> merged(
      List<CookieRewrite> ofRoute, List<CookieRewrite> ofService) {
    Map<String, CookieRewrite> all = new LinkedHashMap<>();
    ofRoute.forEach(rewrite -> all.put(rewrite.name(), rewrite));
    ofService.forEach(
        rewrite -> all.merge(rewrite.name(), rewrite, (route, service) -> service.orElse(route)));
    return new ArrayList<>(all.values());
  }

  private CookieRewrite orElse(CookieRewrite other) {
    return new CookieRewrite(
        name,
        path == null ? other.path : path,
        domain == null ? other.domain : domain,
        secure == null ? other.secure : secure,
        sameSite == null ? other.sameSite : sameSite);
  }
}
