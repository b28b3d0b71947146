// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.interop.envoy;

import dev.holdfast.testkit.TestCa;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.KeyFactory;
import java.security.KeyStore;
import java.security.Principal;
import java.security.PrivateKey;
import java.security.cert.Certificate;
import java.security.cert.CertificateFactory;
import java.security.cert.X509Certificate;
import java.security.spec.PKCS8EncodedKeySpec;
import java.util.Base64;
import java.util.List;
import javax.net.ssl.KeyManager;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SNIHostName;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLParameters;
import javax.net.ssl.SSLPeerUnverifiedException;
import javax.net.ssl.SSLSocket;
import javax.net.ssl.TrustManagerFactory;
import javax.net.ssl.X509ExtendedKeyManager;
import org.jspecify.annotations.Nullable;

/**
 * How to speak TLS: whom to ask for, whom to trust, and who to be. Names in certificates are not
 * compared; a test looks at {@link #peer} instead.
 *
 * @param sni the server name to ask for; empty for none
 * @param trustPem the authority to trust
 * @param identity what to show when asked
 * @param versions the protocol versions to offer, such as {@code TLSv1.2}; empty for the usual ones
 */
public record Tls(
    String sni, String trustPem, TestCa.@Nullable Identity identity, List<String> versions) {

  public static Tls sni(String name, TestCa trusted) {
    return new Tls(name, trusted.certificatePem(), null, List.of());
  }

  public Tls as(TestCa.Identity client) {
    return new Tls(sni, trustPem, client, versions);
  }

  public Tls versions(String... offered) {
    return new Tls(sni, trustPem, identity, List.of(offered));
  }

  /** The subject of the certificate that a port shows, such as {@code CN=shop}. */
  public String peer(int port) {
    try (SSLSocket socket = wrap(new Socket(InetAddress.getLoopbackAddress(), port))) {
      return ((X509Certificate) socket.getSession().getPeerCertificates()[0])
          .getSubjectX500Principal()
          .getName();
    } catch (SSLPeerUnverifiedException e) {
      throw new AssertionError("the port showed no certificate", e);
    } catch (IOException e) {
      throw new java.io.UncheckedIOException(e);
    }
  }

  SSLSocket wrap(Socket socket) throws IOException {
    SSLSocket wrapped =
        (SSLSocket)
            context()
                .getSocketFactory()
                .createSocket(socket, "127.0.0.1", socket.getPort(), /* autoClose= */ true);
    SSLParameters parameters = wrapped.getSSLParameters();
    if (!sni.isEmpty()) {
      parameters.setServerNames(List.of(new SNIHostName(sni)));
    }
    if (!versions.isEmpty()) {
      parameters.setProtocols(versions.toArray(new String[0]));
    }
    wrapped.setSSLParameters(parameters);
    wrapped.startHandshake();
    return wrapped;
  }

  private SSLContext context() {
    try {
      KeyStore trusted = store();
      trusted.setCertificateEntry("ca", certificate(trustPem));
      TrustManagerFactory trust =
          TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
      trust.init(trusted);
      SSLContext context = SSLContext.getInstance("TLS");
      context.init(keys(), trust.getTrustManagers(), null);
      return context;
    } catch (GeneralSecurityException | IOException e) {
      throw new IllegalStateException("cannot set up TLS", e);
    }
  }

  private KeyManager @Nullable [] keys() throws GeneralSecurityException, IOException {
    TestCa.Identity shown = identity;
    if (shown == null) {
      return null;
    }
    String base64 = shown.privateKeyPem().replaceAll("-----[A-Z ]+-----|\\s", "");
    PrivateKey key =
        KeyFactory.getInstance("EC")
            .generatePrivate(new PKCS8EncodedKeySpec(Base64.getDecoder().decode(base64)));
    KeyStore store = store();
    store.setKeyEntry(
        "client", key, new char[0], new Certificate[] {certificate(shown.certificatePem())});
    KeyManagerFactory factory =
        KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
    factory.init(store, new char[0]);
    return new KeyManager[] {new Insistent((X509ExtendedKeyManager) factory.getKeyManagers()[0])};
  }

  /** Shows the certificate also to a server that does not name its authority. */
  private static final class Insistent extends X509ExtendedKeyManager {
    private final X509ExtendedKeyManager keys;

    Insistent(X509ExtendedKeyManager keys) {
      this.keys = keys;
    }

    @Override
    public String chooseClientAlias(
        String[] keyTypes, Principal @Nullable [] issuers, @Nullable Socket socket) {
      return "client";
    }

    @Override
    public String[] getClientAliases(String keyType, Principal @Nullable [] issuers) {
      return new String[] {"client"};
    }

    @Override
    public @Nullable String chooseServerAlias(
        String keyType, Principal @Nullable [] issuers, @Nullable Socket socket) {
      return null;
    }

    @Override
    public String @Nullable [] getServerAliases(String keyType, Principal @Nullable [] issuers) {
      return null;
    }

    @Override
    public X509Certificate @Nullable [] getCertificateChain(String alias) {
      return keys.getCertificateChain(alias);
    }

    @Override
    public @Nullable PrivateKey getPrivateKey(String alias) {
      return keys.getPrivateKey(alias);
    }
  }

  private static KeyStore store() throws GeneralSecurityException, IOException {
    KeyStore store = KeyStore.getInstance("PKCS12");
    store.load(null, new char[0]);
    return store;
  }

  private static Certificate certificate(String pem) throws GeneralSecurityException {
    InputStream bytes = new ByteArrayInputStream(pem.getBytes(StandardCharsets.US_ASCII));
    return CertificateFactory.getInstance("X.509").generateCertificate(bytes);
  }
}
