// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.cli.bootstrap;

import java.nio.file.Path;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** The options for TLS to the control plane. */
@SuppressWarnings("NullAway.Init") // picocli sets what it must
final class XdsTlsOptions {
  @Spec(Spec.Target.MIXEE)
  CommandSpec spec;

  @Option(
      names = "--ca",
      paramLabel = "FILE",
      description =
          "Use TLS, and trust a control plane whose certificate is signed by these, PEM."
              + " Default: no TLS.")
  @Nullable Path ca;

  @Option(
      names = "--certificate",
      paramLabel = "FILE",
      description = "The certificate, PEM, that is shown to the control plane. Default: none.")
  @Nullable Path certificate;

  @Option(names = "--key", paramLabel = "FILE", description = "The key of that certificate, PEM.")
  @Nullable Path key;

  /** Whether TLS is used. */
  boolean isEnabled() {
    if ((certificate == null) != (key == null)) {
      throw bad(
          (key == null ? "--certificate without --key" : "--key without --certificate")
              + " (expected: both)");
    }
    if (certificate != null && ca == null) {
      throw bad("--certificate without --ca (expected: the CA of the control plane)");
    }
    return ca != null;
  }

  /** As the client is to open it, from whatever directory. */
  static String absolute(Path file) {
    return file.toAbsolutePath().normalize().toString();
  }

  ParameterException bad(String message) {
    return new ParameterException(spec.commandLine(), message);
  }
}
