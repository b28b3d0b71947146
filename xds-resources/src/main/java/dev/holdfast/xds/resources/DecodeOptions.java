// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.xds.resources;

import java.util.Set;

/**
 * What a decoder must know besides the bytes: facts about this client and about the server that
 * sent them.
 *
 * @param trustedServer whether the server has the feature {@code trusted_xds_server}; only such a
 *     server may rewrite authorities (gRFC A81)
 * @param retryEnabled false ignores retry policies altogether ({@code
 *     GRPC_XDS_EXPERIMENTAL_ENABLE_RETRY=false}, gRFC A44)
 * @param perTryTimeout true reads {@code per_try_timeout} of retry policies; gRFC A44 ignores it
 * @param certificateProviders the certificate provider instances that the bootstrap defines; a
 *     resource that names another one is rejected (gRFC A29)
 * @param customLbPolicies message names of load balancing policies that the application registered,
 *     configured by a TypedStruct (gRFC A52)
 */
public record DecodeOptions(
    boolean trustedServer,
    boolean retryEnabled,
    boolean perTryTimeout,
    Set<String> certificateProviders,
    Set<String> customLbPolicies) {

  private static final DecodeOptions DEFAULTS =
      new DecodeOptions(
          /* trustedServer= */ false,
          /* retryEnabled= */ true,
          /* perTryTimeout= */ false,
          Set.of(),
          Set.of());

  public DecodeOptions {
    certificateProviders = Set.copyOf(certificateProviders);
    customLbPolicies = Set.copyOf(customLbPolicies);
  }

  /**
   * An untrusted server, retries on as gRFC A44 has them, no certificate providers, no policies of
   * its own.
   */
  public static DecodeOptions defaults() {
    return DEFAULTS;
  }

  /** The same, for a server that is or is not trusted. */
  public DecodeOptions withTrustedServer(boolean trusted) {
    return new DecodeOptions(
        trusted, retryEnabled, perTryTimeout, certificateProviders, customLbPolicies);
  }

  /** The same, with retry policies read or ignored. */
  public DecodeOptions withRetryEnabled(boolean enabled) {
    return new DecodeOptions(
        trustedServer, enabled, perTryTimeout, certificateProviders, customLbPolicies);
  }

  /** The same, with {@code per_try_timeout} read or ignored. */
  public DecodeOptions withPerTryTimeout(boolean read) {
    return new DecodeOptions(
        trustedServer, retryEnabled, read, certificateProviders, customLbPolicies);
  }

  /** The same, with these certificate provider instances. */
  public DecodeOptions withCertificateProviders(Set<String> instances) {
    return new DecodeOptions(
        trustedServer, retryEnabled, perTryTimeout, instances, customLbPolicies);
  }

  /** The same, with these load balancing policies besides the built-in ones. */
  public DecodeOptions withCustomLbPolicies(Set<String> messageNames) {
    return new DecodeOptions(
        trustedServer, retryEnabled, perTryTimeout, certificateProviders, messageNames);
  }
}
