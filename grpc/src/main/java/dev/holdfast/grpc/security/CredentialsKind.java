// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.grpc.security;

import io.grpc.ChannelCredentials;
import io.grpc.ChoiceChannelCredentials;
import io.grpc.InsecureChannelCredentials;
import io.grpc.TlsChannelCredentials;

/** What the credentials of a channel mean for a cluster that asks for TLS. */
enum CredentialsKind {
  /** The application wants what the cluster asks for. */
  OF_CONTROL_PLANE,
  /** The application wants TLS, and its own. */
  OWN_TLS,
  /** No encryption. */
  PLAINTEXT,
  /** Whatever they do, it is not what the cluster asks for: only their maker could read that. */
  UNKNOWN;

  /**
   * @param credentials without bearer tokens, which say nothing of connections
   */
  static CredentialsKind of(ChannelCredentials credentials) {
    if (HoldfastChannelCredentials.isAmong(credentials)) {
      return OF_CONTROL_PLANE;
    }
    if (credentials instanceof TlsChannelCredentials) {
      return OWN_TLS;
    }
    if (credentials instanceof InsecureChannelCredentials) {
      return PLAINTEXT;
    }
    if (credentials instanceof ChoiceChannelCredentials choice) {
      // Which of them the transport takes is its own business: all must do.
      return choice.getCredentialsList().stream().allMatch(one -> of(one) == OWN_TLS)
          ? OWN_TLS
          : UNKNOWN;
    }
    return UNKNOWN;
  }

  /** The credentials in words, for whoever chose them. */
  static String describe(ChannelCredentials credentials) {
    return switch (credentials.getClass().getSimpleName()) {
      case "DefaultChannelCreds" -> "not set (usePlaintext(), or a builder without credentials)";
      // The class of the transport that all credentials of other modules are made of.
      case "NettyChannelCredentials" ->
          "made by another library (XdsChannelCredentials of grpc-xds are, which only the"
              + " resolver of grpc-xds understands)";
      default -> credentials.getClass().getSimpleName();
    };
  }
}
