// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.grpc.transport;

import dev.holdfast.base.Env;
import dev.holdfast.base.Problem;
import dev.holdfast.base.Problems;
import dev.holdfast.grpc.tls.TlsSettings;
import dev.holdfast.xds.client.Credentials;
import io.grpc.ChannelCredentials;
import io.grpc.InsecureChannelCredentials;
import java.util.ArrayList;
import java.util.List;

/** The kinds of credentials that this transport can give meaning to. */
public final class ChannelSecurity {
  private static final String INSECURE = "insecure";
  private static final String TLS = "tls";
  private static final String GOOGLE_DEFAULT = "google_default";

  private ChannelSecurity() {}

  /** What {@link Credentials#type} may be, in the order in which people should be told. */
  public static List<String> supportedTypes() {
    List<String> types = new ArrayList<>(List.of(INSECURE, TLS));
    if (GoogleDefault.isAvailable()) {
      types.add(GOOGLE_DEFAULT);
    }
    return types;
  }

  /** Reports what is wrong with the settings of credentials of a supported type. */
  public static void check(Credentials credentials, Problems problems) {
    if (credentials.type().equals(TLS)) {
      TlsSettings.parse(credentials.config(), problems);
    }
  }

  /**
   * Does beforehand, on a thread that may block, what would take too long later: finding Google's
   * default credentials can mean asking a metadata server.
   */
  public static void prepare(Credentials credentials) {
    if (credentials.type().equals(GOOGLE_DEFAULT) && GoogleDefault.isAvailable()) {
      GoogleDefault.credentials();
    }
  }

  /** Credentials ready for use; throws if they are wrong or cannot be read. */
  static Opened open(Credentials credentials, Env env) {
    return switch (credentials.type()) {
      case INSECURE -> new Opened(InsecureChannelCredentials.create(), () -> {});
      case TLS -> openTls(credentials, env);
      case GOOGLE_DEFAULT -> new Opened(GoogleDefault.credentials(), () -> {});
      default ->
          throw new IllegalArgumentException(
              "credentials: "
                  + credentials.type()
                  + " (expected: one of "
                  + supportedTypes()
                  + ")");
    };
  }

  private static Opened openTls(Credentials credentials, Env env) {
    Problems problems = new Problems();
    TlsSettings settings = TlsSettings.parse(credentials.config(), problems);
    if (problems.any()) {
      List<Problem> found = problems.list();
      throw new IllegalArgumentException("tls credentials: " + Problems.describe(found));
    }
    TlsFiles files = TlsFiles.open(settings, env);
    return new Opened(files.credentials(), files::close);
  }

  /**
   * Credentials in use.
   *
   * @param onClose releases what keeps them up to date
   */
  record Opened(ChannelCredentials credentials, Runnable onClose) implements AutoCloseable {
    @Override
    public void close() {
      onClose.run();
    }
  }
}
