// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.controlplane.translate.proto.route;

import com.google.protobuf.UInt32Value;
import dev.holdfast.controlplane.objects.httpproxy.IpFilter;
import io.envoyproxy.envoy.config.core.v3.CidrRange;
import io.envoyproxy.envoy.config.rbac.v3.Permission;
import io.envoyproxy.envoy.config.rbac.v3.Policy;
import io.envoyproxy.envoy.config.rbac.v3.Principal;
import io.envoyproxy.envoy.config.rbac.v3.RBAC;
import io.envoyproxy.envoy.extensions.filters.http.rbac.v3.RBACPerRoute;

/** IP allow and deny lists as RBAC rules. */
final class IpFilters {
  private static final String POLICY = "ip-rules";

  private IpFilters() {}

  static RBACPerRoute of(IpFilter filter) {
    Policy.Builder policy =
        Policy.newBuilder().addPermissions(Permission.newBuilder().setAny(true));
    filter.rules().forEach(rule -> policy.addPrincipals(principal(rule)));
    RBAC.Builder rules =
        RBAC.newBuilder()
            .setAction(
                filter.action() == IpFilter.Action.ALLOW ? RBAC.Action.ALLOW : RBAC.Action.DENY)
            .putPolicies(POLICY, policy.build());
    RBACPerRoute.Builder perRoute = RBACPerRoute.newBuilder();
    perRoute.getRbacBuilder().setRules(rules);
    return perRoute.build();
  }

  private static Principal principal(IpFilter.Rule rule) {
    CidrRange range =
        CidrRange.newBuilder()
            .setAddressPrefix(rule.range().address())
            .setPrefixLen(UInt32Value.of(rule.range().prefixLength()))
            .build();
    return switch (rule.source()) {
      case PEER -> Principal.newBuilder().setDirectRemoteIp(range).build();
      case REMOTE -> Principal.newBuilder().setRemoteIp(range).build();
    };
  }
}
