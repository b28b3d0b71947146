// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.controlplane.authors;

import dev.holdfast.base.NamePattern;
import java.util.List;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Which namespaces may have some hosts.
 *
 * @param hosts where {@code *} stands for any characters
 * @param namespaces {@code {1}} is what the first {@code *} of the host stands for
 */
public record HostRule(List<NamePattern> hosts, List<NamePattern> namespaces) {
  public HostRule {
    hosts = List.copyOf(hosts);
    namespaces = List.copyOf(namespaces);
  }

  /**
   * Why a namespace may not have a host, and what may be done; null if it may. The first rule for
   * the host counts.
   */
  static @Nullable String problem(List<HostRule> rules, String host, String namespace) {
    if (rules.isEmpty()) {
      return null;
    }
    for (HostRule rule : rules) {
      for (NamePattern pattern : rule.hosts) {
        List<String> stars = pattern.match(host).orElse(null);
        if (stars != null) {
          return rule.namespaces.stream().anyMatch(each -> each.matches(namespace, stars))
              ? null
              : host
                  + ", which the server does not allow in namespace "
                  + namespace
                  + " (expected: another host, or namespace "
                  + rule.namespaces.stream()
                      .map(each -> each.with(stars))
                      .collect(Collectors.joining(" or "))
                  + ")";
        }
      }
    }
    return host
        + ", which the server allows in no namespace (expected: a host in authors.hosts of the"
        + " server's configuration file)";
  }
}
