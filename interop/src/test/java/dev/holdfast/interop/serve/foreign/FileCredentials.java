// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.interop.serve.foreign;

import io.grpc.ChannelCredentials;
import io.grpc.TlsChannelCredentials;
import io.grpc.xds.XdsCredentialsProvider;
import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.Map;

/**
 * What an application with grpc-java adds to show a certificate to a control plane: the {@code tls}
 * credentials of grpc-java itself read no files, and trust the roots of the machine.
 */
public final class FileCredentials extends XdsCredentialsProvider {
  static final String NAME = "files";

  @Override
  protected ChannelCredentials newChannelCredentials(Map<String, ?> config) {
    try {
      return TlsChannelCredentials.newBuilder()
          .trustManager(new File(String.valueOf(config.get("ca_certificate_file"))))
          .keyManager(
              new File(String.valueOf(config.get("certificate_file"))),
              new File(String.valueOf(config.get("private_key_file"))))
          .build();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Override
  protected String getName() {
    return NAME;
  }

  @Override
  public boolean isAvailable() {
    return true;
  }

  @Override
  public int priority() {
    return 5;
  }
}
