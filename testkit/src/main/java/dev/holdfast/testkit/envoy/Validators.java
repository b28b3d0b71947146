// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.testkit.envoy;

import com.google.protobuf.Any;
import com.google.protobuf.Message;
import com.google.re2j.Pattern;
import com.google.re2j.PatternSyntaxException;
import dev.holdfast.testkit.envoy.Validator.Stage;
import io.envoyproxy.envoy.config.cluster.v3.Cluster;
import io.envoyproxy.envoy.config.core.v3.DataSource;
import io.envoyproxy.envoy.config.core.v3.SocketAddress;
import io.envoyproxy.envoy.config.core.v3.TypedExtensionConfig;
import io.envoyproxy.envoy.config.endpoint.v3.ClusterLoadAssignment;
import io.envoyproxy.envoy.config.listener.v3.FilterChain;
import io.envoyproxy.envoy.config.listener.v3.Listener;
import io.envoyproxy.envoy.config.route.v3.RouteConfiguration;
import io.envoyproxy.envoy.config.route.v3.VirtualHost;
import io.envoyproxy.envoy.config.route.v3.WeightedCluster;
import io.envoyproxy.envoy.extensions.filters.network.http_connection_manager.v3.HttpFilter;
import io.envoyproxy.envoy.extensions.transport_sockets.tls.v3.Secret;
import io.envoyproxy.envoy.type.matcher.v3.RegexMatcher;
import java.io.ByteArrayInputStream;
import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.security.cert.CertificateException;
import java.security.cert.CertificateFactory;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Some of the reasons for which a stock Envoy rejects what its API allows, in its own words. */
public final class Validators {
  private static final String LUA = "envoy.extensions.filters.http.lua.v3.";

  private Validators() {}

  /** What an Envoy rejects that was not told otherwise. */
  public static List<Validator> standard() {
    return standard(100);
  }

  /**
   * The same.
   *
   * @param programSize how large regular expressions may be
   */
  public static List<Validator> standard(int programSize) {
    return List.of(
        uniqueDomains(),
        regexes(),
        programSize(programSize),
        weights(),
        scripts(),
        addresses(),
        maglevPrimes(),
        certificates());
  }

  /** The same domain in two virtual hosts, in whichever case. */
  public static Validator uniqueDomains() {
    return Validator.on(
        RouteConfiguration.class,
        routes -> {
          Set<String> seen = new HashSet<>();
          for (VirtualHost host : routes.getVirtualHostsList()) {
            for (String domain : host.getDomainsList()) {
              if (!seen.add(domain.toLowerCase(Locale.ROOT))) {
                return "Only unique values for domains are permitted. Duplicate entry of domain %s in route %s"
                    .formatted(domain.toLowerCase(Locale.ROOT), routes.getName());
              }
            }
          }
          return null;
        });
  }

  /** Regular expressions that are none. */
  public static Validator regexes() {
    return resource ->
        MessageWalker.first(
            resource,
            RegexMatcher.class,
            matcher -> {
              try {
                Pattern.compile(matcher.getRegex());
                return null;
              } catch (PatternSyntaxException e) {
                return e.getDescription() + ": " + e.getPattern();
              }
            });
  }

  /** Regular expressions that are too big; an estimate, good enough to tell small from huge. */
  public static Validator programSize(int limit) {
    return resource ->
        MessageWalker.first(
            resource,
            RegexMatcher.class,
            matcher -> {
              int size = RegexSize.of(matcher.getRegex());
              return size <= limit
                  ? null
                  : "regex '%s' RE2 program size of %d > max program size of %d set for the error level threshold. Increase configured max program size if necessary."
                      .formatted(matcher.getRegex(), size, limit);
            });
  }

  /** Clusters by weight, of which none has any. */
  public static Validator weights() {
    return resource ->
        MessageWalker.first(
            resource,
            WeightedCluster.class,
            clusters ->
                clusters.getClustersList().stream()
                        .allMatch(share -> share.getWeight().getValue() == 0)
                    ? "Sum of weights in the weighted_cluster must be greater than 0."
                    : null);
  }

  /**
   * Scripts that end in an open bracket; one that loops for ever hangs the proxy. Any other script
   * is taken.
   */
  public static Validator scripts() {
    return resource ->
        MessageWalker.first(
            resource,
            Any.class,
            any -> any.getTypeUrl().contains(LUA) ? script(any.getValue().toStringUtf8()) : null);
  }

  private static @Nullable String script(String text) {
    if (text.contains("while true do end")) {
      throw new Validator.Hang();
    }
    return text.endsWith("(")
        ? "script load error: [string \"%s\"]:1: <name> or '...' expected near '<eof>'"
            .formatted(text.substring(Math.max(0, text.indexOf("function"))))
        : null;
  }

  /** Endpoints that are no addresses, where no name is resolved. */
  public static Validator addresses() {
    return resource -> {
      if (resource instanceof Cluster cluster) {
        return cluster.getType() == Cluster.DiscoveryType.STATIC
            ? address(cluster.getLoadAssignment())
            : null;
      }
      return resource instanceof ClusterLoadAssignment assignment ? address(assignment) : null;
    };
  }

  private static @Nullable String address(ClusterLoadAssignment assignment) {
    return MessageWalker.first(
        assignment,
        SocketAddress.class,
        address ->
            address.getAddress().matches("[0-9.]+|[0-9a-fA-F:.]*:[0-9a-fA-F:.]*")
                ? null
                : ("malformed IP address: %s. Consider setting resolver_name or setting cluster"
                        + " type to 'STRICT_DNS' or 'LOGICAL_DNS'")
                    .formatted(address.getAddress()));
  }

  /** A table size that is not prime, noticed when the cluster is already on the books. */
  public static Validator maglevPrimes() {
    return Validator.on(
            Cluster.class,
            cluster -> {
              var maglev = cluster.getMaglevLbConfig();
              return maglev.hasTableSize()
                      && !BigInteger.valueOf(maglev.getTableSize().getValue()).isProbablePrime(50)
                  ? "The table size of maglev must be prime number"
                  : null;
            })
        .at(Stage.LOAD_BALANCER);
  }

  /** Certificates that are none. */
  public static Validator certificates() {
    return Validator.on(
        Secret.class,
        secret ->
            secret.hasTlsCertificate()
                    && !isCertificate(inline(secret.getTlsCertificate().getCertificateChain()))
                ? "Failed to load certificate chain from <inline>"
                : null);
  }

  private static byte[] inline(DataSource source) {
    return source.hasInlineBytes()
        ? source.getInlineBytes().toByteArray()
        : source.getInlineString().getBytes(StandardCharsets.UTF_8);
  }

  private static boolean isCertificate(byte[] pem) {
    try {
      return !CertificateFactory.getInstance("X.509")
          .generateCertificates(new ByteArrayInputStream(pem))
          .isEmpty();
    } catch (CertificateException e) {
      return false;
    }
  }

  /** HTTP filters of types that are not built in; by type URL or the name after its slash. */
  public static Validator filters(Set<String> builtIn) {
    return resource -> {
      if (resource instanceof TypedExtensionConfig config) {
        return filter(config.getName(), config.getTypedConfig(), builtIn);
      }
      if (resource instanceof Listener listener) {
        for (FilterChain chain : References.chains(listener)) {
          for (HttpFilter filter :
              References.http(chain).map(http -> http.getHttpFiltersList()).orElse(List.of())) {
            String problem =
                filter.hasTypedConfig() && !filter.getIsOptional()
                    ? filter(filter.getName(), filter.getTypedConfig(), builtIn)
                    : null;
            if (problem != null) {
              return problem;
            }
          }
        }
      }
      return null;
    };
  }

  private static @Nullable String filter(String name, Any config, Set<String> builtIn) {
    String type = config.getTypeUrl().substring(config.getTypeUrl().lastIndexOf('/') + 1);
    return builtIn.contains(type) || builtIn.contains(config.getTypeUrl())
        ? null
        : "Didn't find a registered implementation for '%s' with type URL: '%s'"
            .formatted(name, type);
  }

  /** Rejects resources of one type and name, whatever is in them. */
  public static Validator rejecting(Class<? extends Message> type, String name, String why) {
    return resource ->
        type.isInstance(resource) && Decoder.name(resource).equals(name) ? why : null;
  }
}
