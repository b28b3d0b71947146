// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.grpc.security;

import dev.holdfast.base.tls.KeyAndChain;
import dev.holdfast.grpc.tls.CertificateFiles;
import dev.holdfast.xds.resources.matcher.StringMatcher;
import dev.holdfast.xds.resources.tls.UpstreamTls;
import java.security.GeneralSecurityException;
import java.security.cert.X509Certificate;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The TLS of a cluster with the certificates for it. Two that are equal make the same connections.
 *
 * @param tls what the cluster asks for
 * @param roots where the trusted certificates come from; null for those of the system
 * @param identity where the client's own certificate comes from; null for none
 */
public record ClusterTls(
    UpstreamTls tls, @Nullable CertificateFiles roots, @Nullable CertificateFiles identity) {

  /** That of an endpoint's name, which is one for calls; a handshake has none. */
  private static final Pattern PORT = Pattern.compile("^([^:]*):[0-9]+$");

  /** The certificates as they are now. */
  CompletableFuture<TlsMaterial> material() {
    CompletableFuture<@Nullable List<X509Certificate>> trusted =
        roots == null ? none() : named(roots.roots(), tls.roots());
    CompletableFuture<@Nullable KeyAndChain> own =
        identity == null ? none() : named(identity.identity(), tls.identity());
    return trusted.thenCombine(own, TlsMaterial::new);
  }

  private static <T> CompletableFuture<@Nullable T> none() {
    return CompletableFuture.completedFuture(null);
  }

  private static <T> CompletableFuture<@Nullable T> named(
      CompletableFuture<T> read,
      dev.holdfast.xds.resources.tls.@Nullable CertificateProvider provider) {
    String name = provider == null ? "" : provider.instance();
    return read.exceptionallyCompose(
        e -> {
          Throwable why =
              e instanceof CompletionException && e.getCause() != null ? e.getCause() : e;
          return CompletableFuture.failedFuture(
              new GeneralSecurityException(
                  CertificateProviders.describe(name) + ": " + why.getMessage(), why));
        });
  }

  /**
   * The same for one endpoint, with the name to send in the handshake (gRFC A101).
   *
   * @param hostname that of the endpoint; empty if it has none
   */
  public EndpointTls toEndpoint(String hostname) {
    String name = PORT.matcher(hostname).replaceFirst("$1");
    return new EndpointTls(this, tls.autoHostSni() && !name.isEmpty() ? name : tls.sni());
  }

  /** Checks the server's certificate, on a connection on which that name was sent. */
  ServerVerifier verifier(TlsMaterial material, String sni) throws GeneralSecurityException {
    List<StringMatcher> names =
        tls.autoSniSanValidation() && !sni.isEmpty()
            ? List.of(new StringMatcher.Exact(sni, /* ignoreCase= */ true))
            : tls.subjectAltNames();
    return ServerVerifier.create(
        material.roots(),
        tls.roots() == null
            ? "the roots of the system"
            : CertificateProviders.describe(tls.roots().instance()),
        names);
  }
}
