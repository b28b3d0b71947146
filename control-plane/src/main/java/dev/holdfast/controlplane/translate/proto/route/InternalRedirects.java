// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.controlplane.translate.proto.route;

import com.google.protobuf.Message;
import com.google.protobuf.UInt32Value;
import dev.holdfast.controlplane.objects.httpproxy.InternalRedirect;
import dev.holdfast.controlplane.objects.httpproxy.InternalRedirect.CrossScheme;
import dev.holdfast.controlplane.translate.proto.Anys;
import io.envoyproxy.envoy.config.core.v3.TypedExtensionConfig;
import io.envoyproxy.envoy.config.route.v3.InternalRedirectPolicy;
import io.envoyproxy.envoy.extensions.internal_redirect.previous_routes.v3.PreviousRoutesConfig;
import io.envoyproxy.envoy.extensions.internal_redirect.safe_cross_scheme.v3.SafeCrossSchemeConfig;

/** Redirects that Envoy follows itself. */
final class InternalRedirects {
  private static final TypedExtensionConfig SAFE_CROSS_SCHEME =
      predicate("safe_cross_scheme", SafeCrossSchemeConfig.getDefaultInstance());
  private static final TypedExtensionConfig PREVIOUS_ROUTES =
      predicate("previous_routes", PreviousRoutesConfig.getDefaultInstance());

  private InternalRedirects() {}

  static InternalRedirectPolicy of(InternalRedirect redirect) {
    InternalRedirectPolicy.Builder policy =
        InternalRedirectPolicy.newBuilder()
            .setMaxInternalRedirects(UInt32Value.of((int) redirect.most()))
            .addAllRedirectResponseCodes(redirect.statusCodes())
            .setAllowCrossSchemeRedirect(redirect.crossScheme() != CrossScheme.NEVER);
    if (redirect.crossScheme() == CrossScheme.SAFE_ONLY) {
      policy.addPredicates(SAFE_CROSS_SCHEME);
    }
    if (redirect.denyRepeatedRoute()) {
      policy.addPredicates(PREVIOUS_ROUTES);
    }
    return policy.build();
  }

  private static TypedExtensionConfig predicate(String name, Message config) {
    return TypedExtensionConfig.newBuilder()
        .setName("envoy.internal_redirect_predicates." + name)
        .setTypedConfig(Anys.of(config))
        .build();
  }
}
