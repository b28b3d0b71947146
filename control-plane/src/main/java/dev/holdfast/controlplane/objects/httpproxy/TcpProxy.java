// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.controlplane.objects.httpproxy;

import dev.holdfast.controlplane.objects.read.Fields;
import dev.holdfast.controlplane.objects.read.TextRules;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Forwards connections unchanged.
 *
 * @param services empty if {@code include} is set
 */
public record TcpProxy(
    List<RouteService> services,
    @Nullable Target include,
    LoadBalancing loadBalancing,
    @Nullable HealthCheck healthCheck) {

  /** Another proxy whose tcpproxy is used. */
  public record Target(String namespace, String name) {
    static Target decode(Fields fields) {
      return new Target(
          fields.textOrEmpty("namespace", TextRules.NAMESPACE),
          fields.requiredText("name", TextRules.NAME));
    }
  }

  static TcpProxy decode(Fields fields) {
    List<RouteService> services = fields.groups("services", RouteService::ofTcpProxy);
    Target include = fields.group("include", Target::decode);
    Target includes = fields.group("includes", Target::decode); // the older name of the field
    LoadBalancing loadBalancing = LoadBalancing.ofConnections(fields);
    HealthCheck healthCheck = fields.group("healthCheckPolicy", HealthCheck::ofTcp);
    List<String> given = Stream.of("services", "include", "includes").filter(fields::has).toList();
    if (given.size() != 1) {
      fields.invalid(
          (given.isEmpty() ? "nothing" : String.join(" and ", given))
              + " (expected: exactly one of services, include)");
    } else if (fields.has("services")) {
      RouteService.checkTogether(services, fields);
    }
    return new TcpProxy(services, include == null ? includes : include, loadBalancing, healthCheck);
  }

  TcpProxy withDefaultNamespace(String ownNamespace) {
    return include == null || !include.namespace().isEmpty()
        ? this
        : new TcpProxy(
            services, new Target(ownNamespace, include.name()), loadBalancing, healthCheck);
  }
}
