// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.grpc.tls;

import dev.holdfast.base.Env;
import dev.holdfast.base.TimeSource;
import dev.holdfast.base.tls.KeyAndChain;
import dev.holdfast.base.tls.PemFiles;
import dev.holdfast.base.tls.WatchedFiles;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.cert.X509Certificate;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * Certificates that are looked up whenever a connection begins. The files are read when somebody
 * asks for the first time, and again at intervals. A certificate and its key are one thing: a pair
 * of which only one half was replaced so far is not used. Thread-safe.
 */
public final class CertificateFiles implements AutoCloseable {
  private final TlsSettings settings;
  private final Env env;
  private final @Nullable WatchedFiles<List<X509Certificate>> roots;
  private final @Nullable WatchedFiles<KeyAndChain> identity;

  // Guarded by this.
  private TimeSource.@Nullable Timer timer;
  private boolean closed;

  private CertificateFiles(TlsSettings settings, Env env) {
    this.settings = settings;
    this.env = env;
    Path authorities = settings.caCertificates();
    roots =
        authorities == null
            ? null
            : new WatchedFiles<>(
                () -> List.of(PemFiles.certificates(authorities)),
                env.executor(),
                new KeptFileLog<>());
    Path certificate = settings.certificate();
    Path privateKey = settings.privateKey();
    identity =
        certificate == null || privateKey == null
            ? null
            : new WatchedFiles<>(
                () -> PemFiles.keyAndChain(certificate, privateKey),
                env.executor(),
                new KeptFileLog<>());
  }

  /** Files that are read when they are needed, until this is closed. */
  public static CertificateFiles open(TlsSettings settings, Env env) {
    CertificateFiles files = new CertificateFiles(settings, env);
    files.schedule();
    return files;
  }

  /** Whether a file with trusted certificates is among them. */
  public boolean hasRoots() {
    return roots != null;
  }

  /** Whether a certificate and a key are among them. */
  public boolean hasIdentity() {
    return identity != null;
  }

  /** Whom to trust. Fails with a {@link GeneralSecurityException}. */
  public CompletableFuture<List<X509Certificate>> roots() {
    return current(roots, "ca_certificate_file");
  }

  /** Who we are. Fails with a {@link GeneralSecurityException}. */
  public CompletableFuture<KeyAndChain> identity() {
    return current(identity, "certificate_file");
  }

  private static <T> CompletableFuture<T> current(@Nullable WatchedFiles<T> watched, String field) {
    return watched == null
        ? CompletableFuture.failedFuture(
            new GeneralSecurityException(field + ": not set (expected: a file)"))
        : watched.current();
  }

  private synchronized void schedule() {
    if (!closed) {
      timer = env.time().schedule(settings.refreshInterval(), this::refresh);
    }
  }

  private void refresh() {
    if (roots != null) {
      roots.refresh();
    }
    if (identity != null) {
      identity.refresh();
    }
    schedule();
  }

  @Override
  public synchronized void close() {
    closed = true;
    if (timer != null) {
      timer.cancel();
      timer = null;
    }
  }
}
