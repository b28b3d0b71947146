// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.store.etcd;

import dev.holdfast.base.tls.PemTls;
import io.grpc.ChannelCredentials;
import io.grpc.InsecureChannelCredentials;
import io.grpc.TlsChannelCredentials;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import org.jspecify.annotations.Nullable;

/**
 * Whom to trust and who we are, as files. Null is what there is not.
 *
 * @param ca certificates to trust, PEM; without them those that the JDK trusts
 * @param certificate our own certificate chain, PEM
 * @param key its key, PEM
 * @param user one line, {@code USER:PASSWORD}
 */
public record EtcdCredentials(
    @Nullable Path ca, @Nullable Path certificate, @Nullable Path key, @Nullable Path user) {
  private static final EtcdCredentials NONE = new EtcdCredentials(null, null, null, null);

  public static EtcdCredentials none() {
    return NONE;
  }

  /** A name and its password. */
  record User(String name, String password) {
    /** Never the password. */
    @Override
    public String toString() {
      return name;
    }
  }

  /**
   * @throws IllegalArgumentException if a file cannot be used
   */
  ChannelCredentials channel(boolean isTls) {
    if (!isTls) {
      if (ca != null || certificate != null || key != null) {
        throw new IllegalArgumentException(
            "certificates for an etcd without TLS (expected: etcds://, or no certificates)");
      }
      return InsecureChannelCredentials.create();
    }
    if ((certificate == null) != (key == null)) {
      throw new IllegalArgumentException(
          certificate == null
              ? "a key without its certificate (expected: both, or neither)"
              : "a certificate without its key (expected: both, or neither)");
    }
    TlsChannelCredentials.Builder tls = TlsChannelCredentials.newBuilder();
    if (ca != null) {
      try {
        tls.trustManager(PemTls.trust(content(ca)));
      } catch (GeneralSecurityException | IOException e) {
        throw unusable(ca, e);
      }
    }
    if (certificate != null && key != null) {
      try {
        tls.keyManager(PemTls.keys(content(certificate), content(key)));
      } catch (GeneralSecurityException | IOException e) {
        throw unusable(certificate + ", " + key, e);
      }
    }
    return tls.build();
  }

  /**
   * Null if none is given.
   *
   * @throws IllegalArgumentException if the file cannot be used
   */
  @Nullable User readUser() {
    if (user == null) {
      return null;
    }
    String line = new String(content(user), java.nio.charset.StandardCharsets.UTF_8).strip();
    int colon = line.indexOf(':');
    if (colon < 1 || line.indexOf('\n') >= 0) {
      throw new IllegalArgumentException(user + ": no user (expected: one line USER:PASSWORD)");
    }
    return new User(line.substring(0, colon), line.substring(colon + 1));
  }

  private static byte[] content(Path file) {
    try {
      return Files.readAllBytes(file);
    } catch (NoSuchFileException e) {
      throw new IllegalArgumentException(file + ": no such file", e);
    } catch (IOException e) {
      throw new IllegalArgumentException(file + ": cannot be read: " + e.getMessage(), e);
    }
  }

  private static IllegalArgumentException unusable(Object file, Exception e) {
    return new IllegalArgumentException(file + ": cannot be used: " + e.getMessage(), e);
  }
}
