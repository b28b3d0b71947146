// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.controlplane.ads.proxy;

import com.google.protobuf.Value;
import dev.holdfast.controlplane.rollout.fleet.ClassForm;
import dev.holdfast.controlplane.snapshot.Digests;
import io.envoyproxy.envoy.config.core.v3.BuildVersion;
import io.envoyproxy.envoy.config.core.v3.Extension;
import io.envoyproxy.envoy.config.core.v3.Node;
import io.envoyproxy.envoy.type.v3.SemanticVersion;
import java.util.List;

/**
 * The identity of a proxy, from the node of its first request.
 *
 * @param id unique among all proxies
 * @param cluster the proxy's own name for its group
 * @param agent the program, such as {@code envoy}
 * @param version of the program
 * @param proxyClass proxies of one class validate alike: same agent, version, extensions and label
 */
public record ProxyNode(
    String id, String cluster, String agent, String version, String proxyClass) {
  /** Metadata key by which an operator separates proxies into classes. */
  private static final String LABEL = "holdfast_group";

  private static final int DIGITS = 6;

  /**
   * @param idIfNone the id of a node without one
   */
  public static ProxyNode of(Node node, String idIfNone) {
    String version = version(node);
    String agent = node.getUserAgentName().isEmpty() ? "unknown" : node.getUserAgentName();
    StringBuilder name = new StringBuilder(part(agent));
    if (!version.isEmpty()) {
      name.append(' ').append(part(version));
    }
    if (node.getExtensionsCount() > 0) {
      name.append(" ext-").append(extensions(node.getExtensionsList()));
    }
    Value label = node.getMetadata().getFieldsOrDefault(LABEL, Value.getDefaultInstance());
    if (!label.getStringValue().isEmpty()) {
      name.append(' ').append(part(label.getStringValue()));
    }
    return new ProxyNode(
        node.getId().isEmpty() ? idIfNone : node.getId(),
        node.getCluster().intern(), // equal for thousands of proxies
        agent.intern(),
        version.intern(),
        name.toString().intern());
  }

  /** The same with another id. */
  public ProxyNode withId(String other) {
    return other.equals(id) ? this : new ProxyNode(other, cluster, agent, version, proxyClass);
  }

  /**
   * The same as one of those that get each host as a resource of its own: a class apart, since it
   * is asked about other resources than the rest of its class.
   */
  public ProxyNode withHosts() {
    return new ProxyNode(id, cluster, agent, version, ClassForm.withHosts(proxyClass).intern());
  }

  /** Envoy treats some responses differently from gRPC clients. */
  public boolean isEnvoy() {
    return agent.equals("envoy");
  }

  /** Without blanks, so that no part of a class can look like two. */
  private static String part(String text) {
    StringBuilder part = new StringBuilder();
    text.codePoints()
        .forEach(
            c -> {
              if (c == '%' || Character.isWhitespace(c) || Character.isISOControl(c)) {
                part.append('%').append(Integer.toHexString(c)).append('%');
              } else {
                part.appendCodePoint(c);
              }
            });
    return part.toString();
  }

  private static String version(Node node) {
    if (!node.hasUserAgentBuildVersion()) {
      return node.getUserAgentVersion();
    }
    BuildVersion build = node.getUserAgentBuildVersion();
    SemanticVersion number = build.getVersion();
    String label =
        build
            .getMetadata()
            .getFieldsOrDefault("build.label", Value.getDefaultInstance())
            .getStringValue();
    return number.getMajorNumber()
        + "."
        + number.getMinorNumber()
        + "."
        + number.getPatch()
        + (label.isEmpty() ? "" : "-" + label);
  }

  private static String extensions(List<Extension> extensions) {
    return Digests.of(
            extensions.stream()
                .flatMap(extension -> extension.getTypeUrlsList().stream())
                .sorted()
                .distinct()
                .toList())
        .substring(0, DIGITS);
  }
}
