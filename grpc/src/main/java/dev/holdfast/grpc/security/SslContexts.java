// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.grpc.security;

import io.grpc.netty.shaded.io.grpc.netty.GrpcSslContexts;
import io.grpc.netty.shaded.io.netty.handler.ssl.DelegatingSslContext;
import io.grpc.netty.shaded.io.netty.handler.ssl.SslContext;
import io.grpc.netty.shaded.io.netty.handler.ssl.SslContextBuilder;
import java.security.GeneralSecurityException;
import java.security.cert.X509Certificate;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import javax.net.ssl.SNIHostName;
import javax.net.ssl.SNIServerName;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.SSLException;
import javax.net.ssl.SSLParameters;

/**
 * What Netty makes TLS connections with. It is expensive, and so it is kept for as long as the
 * certificates are the same. Other certificates get another one, so that no session that began with
 * the earlier ones is taken up again. Thread-safe.
 */
final class SslContexts {
  private static final int MAX_KEPT = 256;
  private static final Pattern IP_ADDRESS = Pattern.compile("[0-9.]+|.*:.*");

  // Guarded by this.
  private final Map<EndpointTls, Kept> kept =
      new LinkedHashMap<>(16, 0.75f, /* accessOrder= */ true) {
        private static final long serialVersionUID = 1;

        @Override
        protected boolean removeEldestEntry(Map.Entry<EndpointTls, Kept> eldest) {
          return size() > MAX_KEPT;
        }
      };

  /** A context, and who checks the servers of its connections. */
  record Context(SslContext ssl, ServerVerifier verifier) {}

  private record Kept(TlsMaterial material, Context context) {}

  synchronized Context of(EndpointTls tls, TlsMaterial material)
      throws GeneralSecurityException, SSLException {
    Kept known = kept.get(tls);
    if (known == null || !known.material().equals(material)) {
      known = new Kept(material, create(tls, material));
      kept.put(tls, known);
    }
    return known.context();
  }

  private static Context create(EndpointTls tls, TlsMaterial material)
      throws GeneralSecurityException, SSLException {
    ServerVerifier verifier = tls.cluster().verifier(material, tls.sni());
    SslContextBuilder builder = GrpcSslContexts.forClient().trustManager(verifier);
    if (material.identity() != null) {
      builder.keyManager(
          material.identity().key(), material.identity().chain().toArray(X509Certificate[]::new));
    }
    return new Context(new NamingContext(builder.build(), tls.sni()), verifier);
  }

  /** Sends the name that the cluster wants, and leaves the check of names to the verifier. */
  private static final class NamingContext extends DelegatingSslContext {
    private final List<SNIServerName> names;

    NamingContext(SslContext context, String sni) {
      super(context);
      names = names(sni);
    }

    /** An address is no name, and one that is not spelled like a host cannot be sent. */
    private static List<SNIServerName> names(String sni) {
      if (sni.isEmpty() || IP_ADDRESS.matcher(sni).matches()) {
        return List.of();
      }
      try {
        return List.of(new SNIHostName(sni));
      } catch (IllegalArgumentException e) {
        return List.of();
      }
    }

    @Override
    protected void initEngine(SSLEngine engine) {
      SSLParameters parameters = engine.getSSLParameters();
      parameters.setServerNames(names);
      // Not null, which gRPC would take for HTTPS.
      parameters.setEndpointIdentificationAlgorithm("");
      engine.setSSLParameters(parameters);
    }
  }
}
