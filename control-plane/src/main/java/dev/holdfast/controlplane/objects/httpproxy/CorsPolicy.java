// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.controlplane.objects.httpproxy;

import dev.holdfast.controlplane.objects.read.Fields;
import dev.holdfast.controlplane.objects.read.TextRule;
import dev.holdfast.controlplane.objects.read.TextRules;
import java.net.URI;
import java.net.URISyntaxException;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The origins that may call from a browser (CORS).
 *
 * @param maxAge how long a preflight response may be cached; zero forbids it; null leaves it to the
 *     browser
 */
public record CorsPolicy(
    List<Origin> allowOrigin,
    List<String> allowMethods,
    List<String> allowHeaders,
    List<String> exposeHeaders,
    boolean allowCredentials,
    boolean allowPrivateNetwork,
    @Nullable Duration maxAge) {
  private static final TextRule ORIGIN =
      TextRule.checked(
              "\"*\", SCHEME://HOST[:PORT], or a regular expression that RE2 understands",
              text ->
                  !text.isEmpty() && (text.equals("*") || isSite(text) || TextRules.isRegex(text)))
          .explained(TextRules::explainRegex);

  /** An allowed origin, or a pattern of origins. */
  public record Origin(Match match, String text) {
    /** How an origin is matched. */
    public enum Match {
      ANY,
      EXACT,
      REGEX
    }

    static Origin of(String text) {
      return new Origin(
          text.equals("*") ? Match.ANY : isSite(text) ? Match.EXACT : Match.REGEX, text);
    }
  }

  static CorsPolicy decode(Fields fields) {
    return new CorsPolicy(
        fields.requiredTexts("allowOrigin", ORIGIN).stream().map(Origin::of).toList(),
        fields.requiredTexts("allowMethods", TextRules.TOKEN_NAME),
        fields.texts("allowHeaders", TextRules.TOKEN_NAME),
        fields.texts("exposeHeaders", TextRules.TOKEN_NAME),
        fields.flag("allowCredentials"),
        fields.flag("allowPrivateNetwork"),
        fields.duration("maxAge"));
  }

  private static boolean isSite(String text) {
    try {
      URI uri = new URI(text);
      return uri.getScheme() != null
          && uri.getHost() != null
          && text.equals(uri.getScheme() + "://" + uri.getRawAuthority())
          && uri.getRawUserInfo() == null;
    } catch (URISyntaxException e) {
      return false;
    }
  }
}
