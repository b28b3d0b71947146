// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.xds.resources.tls;

import dev.holdfast.base.Problems;
import dev.holdfast.xds.resources.decode.Decoding;
import dev.holdfast.xds.resources.decode.Text;
import io.envoyproxy.envoy.extensions.transport_sockets.tls.v3.CertificateProviderPluginInstance;
import io.envoyproxy.envoy.extensions.transport_sockets.tls.v3.CertificateValidationContext;
import io.envoyproxy.envoy.extensions.transport_sockets.tls.v3.CommonTlsContext;
import io.envoyproxy.envoy.extensions.transport_sockets.tls.v3.CommonTlsContext.CertificateProviderInstance;
import io.envoyproxy.envoy.extensions.transport_sockets.tls.v3.CommonTlsContext.CombinedCertificateValidationContext;
import org.jspecify.annotations.Nullable;

/** The parts of {@code CommonTlsContext} that both sides of a connection read. */
final class CommonTlsDecoder {
  private static final String TLS_CERTIFICATE_PROVIDER = "tls_certificate_provider_instance";
  private static final String CA_CERTIFICATE_PROVIDER = "ca_certificate_provider_instance";

  private CommonTlsDecoder() {}

  /** A validation context, and where in the message it stands. */
  record Validation(CertificateValidationContext context, Problems problems) {}

  /** Fields that are rejected because ignoring them would compromise security. */
  static void rejectUnsafe(CommonTlsContext proto, Problems problems) {
    if (proto.hasTlsParams()) {
      problems.at("tls_params").unsupported("set (expected: not set)");
    }
    if (proto.hasCustomHandshaker()) {
      problems.at("custom_handshaker").unsupported("set (expected: not set)");
    }
  }

  /** The own certificate; null if none is configured or after reporting an unknown provider. */
  @SuppressWarnings("deprecation") // some control planes still send only the older field
  static @Nullable CertificateProvider identity(
      CommonTlsContext proto, Decoding decoding, Problems problems) {
    if (proto.hasTlsCertificateProviderInstance()) {
      return provider(
          proto.getTlsCertificateProviderInstance(),
          decoding,
          problems.at(TLS_CERTIFICATE_PROVIDER));
    }
    if (proto.hasTlsCertificateCertificateProviderInstance()) {
      return provider(
          proto.getTlsCertificateCertificateProviderInstance(),
          decoding,
          problems.at("tls_certificate_certificate_provider_instance"));
    }
    return null;
  }

  /** Whether any of the fields that {@link #identity} reads is set. */
  @SuppressWarnings("deprecation")
  static boolean hasIdentity(CommonTlsContext proto) {
    return proto.hasTlsCertificateProviderInstance()
        || proto.hasTlsCertificateCertificateProviderInstance();
  }

  /** How the peer is validated; null if the message does not say. */
  static @Nullable Validation validation(CommonTlsContext proto, Problems problems) {
    if (proto.hasValidationContext()) {
      return new Validation(proto.getValidationContext(), problems.at("validation_context"));
    }
    if (proto.hasCombinedValidationContext()
        && proto.getCombinedValidationContext().hasDefaultValidationContext()) {
      return new Validation(
          proto.getCombinedValidationContext().getDefaultValidationContext(),
          problems.at("combined_validation_context").at("default_validation_context"));
    }
    return null;
  }

  /** SDS is not supported; a peer whose validation comes from there would go unvalidated. */
  static void rejectSdsValidation(CommonTlsContext proto, Problems problems) {
    if (proto.hasValidationContextSdsSecretConfig()) {
      problems
          .at("validation_context_sds_secret_config")
          .unsupported("set (expected: validation_context or combined_validation_context)");
    }
  }

  /** Fields of a validation context that are rejected because they ask for more than is done. */
  static void rejectUnsafe(CertificateValidationContext context, Problems problems) {
    if (context.getVerifyCertificateSpkiCount() > 0) {
      problems.at("verify_certificate_spki").unsupported("set (expected: not set)");
    }
    if (context.getVerifyCertificateHashCount() > 0) {
      problems.at("verify_certificate_hash").unsupported("set (expected: not set)");
    }
    // Newer than gRFC A29 and thus not on its list, but its reason holds: without this check any
    // certificate of the authority would do.
    if (context.getMatchTypedSubjectAltNamesCount() > 0) {
      problems
          .at("match_typed_subject_alt_names")
          .unsupported("set (expected: match_subject_alt_names)");
    }
    if (context.hasRequireSignedCertificateTimestamp()) {
      problems.at("require_signed_certificate_timestamp").unsupported("set (expected: not set)");
    }
    if (context.hasCrl()) {
      problems.at("crl").unsupported("set (expected: not set)");
    }
    if (context.hasCustomValidatorConfig()) {
      problems.at("custom_validator_config").unsupported("set (expected: not set)");
    }
  }

  /** The roots that a validation context names; null if it names none or an unknown provider. */
  @SuppressWarnings("deprecation") // some control planes still send only the older field
  static @Nullable CertificateProvider roots(
      CommonTlsContext proto, Validation validation, Decoding decoding, Problems problems) {
    if (validation.context().hasCaCertificateProviderInstance()) {
      return provider(
          validation.context().getCaCertificateProviderInstance(),
          decoding,
          validation.problems().at(CA_CERTIFICATE_PROVIDER));
    }
    CombinedCertificateValidationContext combined = proto.getCombinedValidationContext();
    if (combined.hasValidationContextCertificateProviderInstance()) {
      return provider(
          combined.getValidationContextCertificateProviderInstance(),
          decoding,
          problems
              .at("combined_validation_context")
              .at("validation_context_certificate_provider_instance"));
    }
    return null;
  }

  /** Whether any of the fields that {@link #roots} reads is set. */
  @SuppressWarnings("deprecation")
  static boolean hasRoots(CommonTlsContext proto, Validation validation) {
    return validation.context().hasCaCertificateProviderInstance()
        || proto.getCombinedValidationContext().hasValidationContextCertificateProviderInstance();
  }

  private static @Nullable CertificateProvider provider(
      CertificateProviderPluginInstance proto, Decoding decoding, Problems problems) {
    return provider(proto.getInstanceName(), proto.getCertificateName(), decoding, problems);
  }

  private static @Nullable CertificateProvider provider(
      CertificateProviderInstance proto, Decoding decoding, Problems problems) {
    return provider(proto.getInstanceName(), proto.getCertificateName(), decoding, problems);
  }

  private static @Nullable CertificateProvider provider(
      String instance, String certificateName, Decoding decoding, Problems problems) {
    if (!decoding.options().certificateProviders().contains(instance)) {
      problems
          .at("instance_name")
          .invalid(
              Text.quote(instance)
                  + " (expected: an instance under certificate_providers of the bootstrap)");
      return null;
    }
    return new CertificateProvider(instance, certificateName);
  }
}
