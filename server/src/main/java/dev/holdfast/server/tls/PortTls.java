// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.server.tls;

import dev.holdfast.base.TimeSource;
import dev.holdfast.base.tls.WatchedFiles;
import dev.holdfast.controlplane.log.LogArea;
import dev.holdfast.server.options.StartException;
import io.grpc.netty.shaded.io.grpc.netty.GrpcSslContexts;
import io.grpc.netty.shaded.io.netty.handler.ssl.ClientAuth;
import io.grpc.netty.shaded.io.netty.handler.ssl.SslContext;
import io.grpc.netty.shaded.io.netty.handler.ssl.SslContextBuilder;
import io.grpc.netty.shaded.io.netty.handler.ssl.SslProvider;
import java.security.GeneralSecurityException;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.CompletionException;
import javax.net.ssl.SSLException;
import org.jspecify.annotations.Nullable;

/**
 * TLS of one port, from files that may be replaced at any time. They are read every few seconds,
 * and all that a connection needs is made of one reading: a new certificate is used together with
 * its key, or not at all. Files that cannot be used change nothing. Thread-safe.
 */
public final class PortTls implements AutoCloseable {
  static final Duration READ_EVERY = Duration.ofSeconds(2);

  /** Nobody resumes a session whose certificate was checked longer ago. */
  private static final int SESSION_SECONDS = 1;

  /** Files are often replaced one after the other: only what is wrong twice in a row is told. */
  private static final int PATIENCE = 2;

  private final String port;
  private final Protocol protocol;
  private final TlsFiles files;
  private final TimeSource time;
  private final WatchedFiles<TlsMaterial> watched;
  private volatile State state;
  private volatile @Nullable TlsProblem problem;
  private volatile Runnable onChange = () -> {};
  private int failures;

  // Guarded by this.
  private TimeSource.@Nullable Timer timer;
  private boolean closed;

  /** What connections are made with: the parts belong together. */
  private record State(TlsMaterial material, SslContext context, @Nullable ClientTrust trust) {}

  /** What is spoken inside. */
  public enum Protocol {
    GRPC,
    HTTP1
  }

  private PortTls(String port, Protocol protocol, TlsFiles files, TimeSource time)
      throws GeneralSecurityException {
    this.port = port;
    this.protocol = protocol;
    this.files = files;
    this.time = time;
    this.watched =
        new WatchedFiles<>(() -> files.read(time.now()), Runnable::run, new FileObserver());
    this.state = state(files.read(time.now()));
  }

  /**
   * Reads the files.
   *
   * @param port its name, for messages
   * @throws StartException if they cannot be used
   */
  public static PortTls open(String port, TlsFiles files, TimeSource time) throws StartException {
    return open(port, Protocol.GRPC, files, time);
  }

  /** The same for another protocol. */
  public static PortTls open(String port, Protocol protocol, TlsFiles files, TimeSource time)
      throws StartException {
    PortTls tls;
    try {
      tls = new PortTls(port, protocol, files, time);
    } catch (GeneralSecurityException | CompletionException e) {
      throw new StartException("TLS of the " + port + " port: " + e.getMessage(), e);
    }
    tls.watched.refresh();
    tls.schedule();
    return tls;
  }

  private State state(TlsMaterial material) throws GeneralSecurityException {
    ClientTrust trust =
        material.clientCa().isEmpty()
            ? null
            : ClientTrust.of(material.clientCa(), material.revoked());
    SslContextBuilder builder =
        SslContextBuilder.forServer(
                material.server().key(), material.server().chain().toArray(X509Certificate[]::new))
            .protocols("TLSv1.3", "TLSv1.2")
            .sessionTimeout(SESSION_SECONDS);
    if (trust != null) {
      builder.trustManager(trust).clientAuth(ClientAuth.REQUIRE);
    }
    try {
      SslContextBuilder whole =
          protocol == Protocol.GRPC
              ? GrpcSslContexts.configure(builder, SslProvider.JDK)
              : builder.sslProvider(SslProvider.JDK);
      return new State(material, whole.build(), trust);
    } catch (SSLException | IllegalArgumentException e) {
      throw new GeneralSecurityException("the certificate cannot be used: " + e.getMessage(), e);
    }
  }

  private final class FileObserver implements WatchedFiles.Observer<TlsMaterial> {
    @Override
    public void used(TlsMaterial content, boolean changed) {
      if (content.equals(state.material())) {
        over();
        return;
      }
      try {
        state = state(content);
      } catch (GeneralSecurityException e) {
        kept(content, e);
        return;
      }
      over();
      LogArea.SERVER
          .info("certificate-renewed")
          .log(
              "new TLS files of the "
                  + port
                  + " port are in use: "
                  + content.server()
                  + ", valid until "
                  + content.notAfter());
      onChange.run();
    }

    @Override
    public void kept(TlsMaterial earlier, Exception e) {
      failures++;
      if (failures >= PATIENCE) {
        tell(
            "the TLS files of the "
                + port
                + " port are not used, earlier ones are: "
                + e.getMessage());
      }
    }
  }

  private void over() {
    failures = 0;
    Instant now = time.now();
    State current = state;
    if (current.material().hasOutdatedList(now)) {
      tell(files.clientCrl() + ": a newer revocation list is overdue; this one stays in use");
    } else if (problem != null) {
      problem = null;
      LogArea.SERVER
          .info("certificate-usable")
          .log("the TLS files of the " + port + " port can be used again");
    }
  }

  private void tell(String message) {
    TlsProblem before = problem;
    if (before == null || !before.message().equals(message)) {
      problem = new TlsProblem(message, before == null ? time.now() : before.since());
      LogArea.SERVER.warn("certificate-problem").log(message);
    }
  }

  private synchronized void schedule() {
    if (!closed) {
      timer =
          time.schedule(
              READ_EVERY,
              () -> {
                watched.refresh();
                schedule();
              });
    }
  }

  /** What the next connection is made with. */
  public SslContext context() {
    return state.context();
  }

  /** Whether clients must have a certificate. */
  public boolean asksForCertificates() {
    return state.trust() != null;
  }

  /** Is called after other files came into use; connected clients may not be trusted any more. */
  public void onChange(Runnable listener) {
    onChange = listener;
  }

  /** Why a client that has connected would not be let in any more; null if it would. */
  public @Nullable GeneralSecurityException recheck(X509Certificate[] chain) {
    ClientTrust trust = state.trust();
    try {
      if (trust != null) {
        trust.check(chain);
      }
      return null;
    } catch (GeneralSecurityException e) {
      return e;
    }
  }

  /** What is wrong with the files; null if nothing is. */
  public @Nullable TlsProblem problem() {
    Instant end = notAfter();
    return problem == null && time.now().isAfter(end)
        ? new TlsProblem(
            files.certificate() + ": expired on " + end + ", clients refuse it (renew it)", end)
        : problem;
  }

  /** When the certificate in use expires. */
  public Instant notAfter() {
    return state.material().notAfter();
  }

  @Override
  public synchronized void close() {
    closed = true;
    if (timer != null) {
      timer.cancel();
    }
  }
}
