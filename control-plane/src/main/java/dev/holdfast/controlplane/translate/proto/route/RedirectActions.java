// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.controlplane.translate.proto.route;

import dev.holdfast.controlplane.objects.httpproxy.Redirect;
import io.envoyproxy.envoy.config.route.v3.RedirectAction;
import io.envoyproxy.envoy.config.route.v3.RedirectAction.RedirectResponseCode;
import org.jspecify.annotations.Nullable;

/** Redirect actions. */
final class RedirectActions {
  private RedirectActions() {}

  /**
   * The redirect.
   *
   * @param replacement replaces the matched prefix; null if the path stays
   */
  static RedirectAction of(Redirect redirect, @Nullable String replacement) {
    RedirectAction.Builder action =
        RedirectAction.newBuilder().setResponseCode(code(redirect.statusCode()));
    if (redirect.scheme() != null) {
      action.setSchemeRedirect(redirect.scheme().word());
    }
    if (redirect.hostname() != null) {
      action.setHostRedirect(redirect.hostname());
    }
    if (redirect.port() != null) {
      action.setPortRedirect(redirect.port());
    }
    if (redirect.path() != null) {
      action.setPathRedirect(redirect.path());
    } else if (replacement != null) {
      action.setPrefixRewrite(replacement);
    }
    return action.build();
  }

  /** A permanent redirect of the same request to HTTPS. */
  static RedirectAction toHttps() {
    return RedirectAction.newBuilder()
        .setHttpsRedirect(true)
        .setResponseCode(RedirectResponseCode.MOVED_PERMANENTLY)
        .build();
  }

  private static RedirectResponseCode code(int status) {
    return switch (status) {
      case 301 -> RedirectResponseCode.MOVED_PERMANENTLY;
      case 302 -> RedirectResponseCode.FOUND;
      case 303 -> RedirectResponseCode.SEE_OTHER;
      case 307 -> RedirectResponseCode.TEMPORARY_REDIRECT;
      case 308 -> RedirectResponseCode.PERMANENT_REDIRECT;
      default ->
          throw new IllegalArgumentException(
              "status: " + status + " (expected: 301, 302, 303, 307 or 308)");
    };
  }
}
