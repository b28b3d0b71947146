// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.grpc.security;

import dev.holdfast.base.Env;
import dev.holdfast.grpc.bootstrap.XdsBootstrap;
import dev.holdfast.grpc.tls.CertificateFiles;
import dev.holdfast.xds.resources.cluster.Cluster;
import dev.holdfast.xds.resources.tls.CertificateProvider;
import dev.holdfast.xds.resources.tls.UpstreamTls;
import io.grpc.Attributes;
import io.grpc.ChannelCredentials;
import io.grpc.StatusOr;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Decides how the connections to a cluster are secured, by what the cluster asks for and by what
 * the application gave its channel (gRFC A29). One for each xDS client; goes from the resolver to
 * the balancers as an attribute. Thread-safe.
 */
public final class ClusterSecurity implements AutoCloseable {
  /** How it gets from the resolver to the balancers. */
  public static final Attributes.Key<ClusterSecurity> KEY =
      Attributes.Key.create("dev.holdfast.grpc.cluster-security");

  private final CertificateProviders providers;
  private final boolean clusterTlsIgnored;

  private ClusterSecurity(CertificateProviders providers, boolean clusterTlsIgnored) {
    this.providers = providers;
    this.clusterTlsIgnored = clusterTlsIgnored;
  }

  /** With the certificate providers of a bootstrap. */
  public static ClusterSecurity of(XdsBootstrap bootstrap, Env env) {
    return new ClusterSecurity(
        new CertificateProviders(bootstrap.certificateProviders(), env),
        /* clusterTlsIgnored= */ false);
  }

  /** Without any certificate providers. */
  public static ClusterSecurity withoutProviders() {
    return new ClusterSecurity(
        new CertificateProviders(Map.of(), Env.system()), /* clusterTlsIgnored= */ false);
  }

  /**
   * For channels whose application wants it so by name: their credentials are used, whatever
   * clusters ask for.
   */
  public static ClusterSecurity clusterTlsIgnored() {
    return new ClusterSecurity(
        new CertificateProviders(Map.of(), Env.system()), /* clusterTlsIgnored= */ true);
  }

  /**
   * What secures the connections to a cluster.
   *
   * @param credentials those of the channel, without bearer tokens
   */
  public ConnectionSecurity of(Cluster cluster, Supplier<ChannelCredentials> credentials) {
    if (cluster.tls() == null || clusterTlsIgnored) {
      return new ConnectionSecurity.OfChannel();
    }
    ChannelCredentials given = credentials.get();
    return switch (CredentialsKind.of(given)) {
      case OF_CONTROL_PLANE -> tls(cluster.tls());
      case OWN_TLS -> new ConnectionSecurity.OfChannel();
      case PLAINTEXT, UNKNOWN -> new ConnectionSecurity.Refused(refusal(given));
    };
  }

  private ConnectionSecurity tls(UpstreamTls tls) {
    List<String> problems = new ArrayList<>();
    CertificateFiles roots =
        files(tls.roots(), CertificateFiles::hasRoots, "ca_certificate_file", problems);
    CertificateFiles identity =
        files(tls.identity(), CertificateFiles::hasIdentity, "certificate_file", problems);
    return problems.isEmpty()
        ? new ConnectionSecurity.Tls(new ClusterTls(tls, roots, identity))
        : new ConnectionSecurity.Refused("asks for TLS: " + String.join("; ", problems));
  }

  /** The files of a provider, which must be there; null if there is no provider, or a problem. */
  private @Nullable CertificateFiles files(
      @Nullable CertificateProvider provider,
      Predicate<CertificateFiles> complete,
      String field,
      List<String> problems) {
    if (provider == null) {
      return null;
    }
    StatusOr<CertificateFiles> found = providers.get(provider.instance());
    if (found.hasValue() && !complete.test(found.getValue())) {
      found = CertificateProviders.unusable(provider.instance(), field + ": not set");
    }
    if (found.hasValue()) {
      return found.getValue();
    }
    problems.add(String.valueOf(found.getStatus().getDescription()));
    return null;
  }

  private static String refusal(ChannelCredentials given) {
    return "asks for TLS, and the channel's credentials do not provide it: "
        + CredentialsKind.describe(given)
        + " (expected: HoldfastChannelCredentials, for TLS as the cluster says, or"
        + " TlsChannelCredentials, for TLS by the application's own settings;"
        + " XdsOptions.withClusterTlsIgnored() uses the channel's credentials nevertheless)";
  }

  /** Stops watching the files of certificates. */
  @Override
  public void close() {
    providers.close();
  }
}
