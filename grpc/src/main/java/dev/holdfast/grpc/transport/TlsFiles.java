// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.grpc.transport;

import dev.holdfast.base.Env;
import dev.holdfast.base.TimeSource;
import dev.holdfast.base.tls.PemFiles;
import dev.holdfast.grpc.tls.TlsSettings;
import io.grpc.ChannelCredentials;
import io.grpc.TlsChannelCredentials;
import io.grpc.util.AdvancedTlsX509KeyManager;
import io.grpc.util.AdvancedTlsX509TrustManager;
import java.io.IOException;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.cert.X509Certificate;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * TLS credentials that follow their files: these are read again at intervals and used for the next
 * connection. Files that are missing or wrong at first are an error; later, what was read before
 * stays in use until they are right again. That also covers a key and a certificate that are
 * replaced one after the other.
 */
final class TlsFiles implements AutoCloseable {
  private static final Logger LOG = System.getLogger(TlsFiles.class.getName());

  private final TlsChannelCredentials.Builder credentials = TlsChannelCredentials.newBuilder();
  private final List<Part> parts = new ArrayList<>();
  private final TlsSettings settings;
  private final Env env;

  private final Object lock = new Object();
  private boolean closed;
  private TimeSource.@Nullable Timer timer;

  // Only while reading, and that is done once at a time.
  private final Set<Part> failing = new HashSet<>();

  private TlsFiles(TlsSettings settings, Env env) throws GeneralSecurityException {
    this.settings = settings;
    this.env = env;
    if (settings.caCertificates() != null) {
      trust(settings.caCertificates());
    }
    if (settings.certificate() != null && settings.privateKey() != null) {
      identify(settings.certificate(), settings.privateKey());
    }
  }

  /** Reads the files for the first time; throws if that does not succeed. */
  static TlsFiles open(TlsSettings settings, Env env) {
    try {
      TlsFiles files = new TlsFiles(settings, env);
      for (Part part : files.parts) {
        part.read();
      }
      files.schedule();
      return files;
    } catch (IOException | GeneralSecurityException e) {
      throw new IllegalArgumentException("tls credentials: " + e.getMessage(), e);
    }
  }

  ChannelCredentials credentials() {
    return credentials.build();
  }

  @Override
  public void close() {
    synchronized (lock) {
      closed = true;
      if (timer != null) {
        timer.cancel();
        timer = null;
      }
    }
  }

  private void trust(Path authorities) throws GeneralSecurityException {
    AdvancedTlsX509TrustManager manager = AdvancedTlsX509TrustManager.newBuilder().build();
    credentials.trustManager(manager);
    parts.add(() -> manager.updateTrustCredentials(PemFiles.certificates(authorities)));
  }

  private void identify(Path certificate, Path privateKey) {
    AdvancedTlsX509KeyManager manager = new AdvancedTlsX509KeyManager();
    credentials.keyManager(manager);
    parts.add(
        () -> {
          X509Certificate[] chain = PemFiles.certificates(certificate);
          manager.updateIdentityCredentials(chain, PemFiles.privateKey(privateKey, chain[0]));
        });
  }

  private void schedule() {
    synchronized (lock) {
      if (!closed && !parts.isEmpty()) {
        timer =
            env.time()
                .schedule(
                    settings.refreshInterval(), () -> env.executor().execute(this::readAgain));
      }
    }
  }

  private void readAgain() {
    for (Part part : parts) {
      try {
        part.read();
        failing.remove(part);
      } catch (IOException | GeneralSecurityException | RuntimeException e) {
        if (failing.add(part)) {
          LOG.log(Level.WARNING, "TLS file is not used, the earlier one is: {0}", e.getMessage());
        }
      }
    }
    schedule();
  }

  /** Whom we trust, or who we are: one may be unusable without the other. */
  private interface Part {
    void read() throws IOException, GeneralSecurityException;
  }
}
