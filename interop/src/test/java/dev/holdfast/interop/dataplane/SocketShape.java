// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.interop.dataplane;

import io.envoyproxy.envoy.config.cluster.v3.Cluster;
import java.util.List;
import java.util.Set;

/**
 * Something that a cluster can say of the TLS of its connections, to a server whose certificate is
 * for {@code shop.example.com}, {@code *.wild.example.com} and {@code spiffe://mesh/ns/shop}.
 *
 * @param fields of the UpstreamTlsContext, in JSON with single quotes
 * @param hostname that of the endpoint
 * @param outcome what calls end with
 */
record SocketShape(String name, String fields, String hostname, Outcome outcome) {
  private static final String ROOTS =
      "'validation_context': {'ca_certificate_provider_instance': {'instance_name': 'p'}}";

  /** Where grpc-xds 1.85.1 fails calls: it ignores the field, or wildcards in certificates. */
  static final Set<String> UNKNOWN_TO_PEER =
      Set.of(
          "roots in the older field",
          "certificate for a wildcard that covers the name that was sent",
          "exact name, covered by a wildcard");

  /** How calls end. */
  sealed interface Outcome {}

  /** They succeed, after this name was sent, and this certificate was shown. */
  record Done(String sni, String client) implements Outcome {}

  /** The handshake fails, after this name was sent; the error has this text. */
  record Failed(String sni, String text) implements Outcome {}

  /** There is no connection; the error has this text. */
  record Refused(String text) implements Outcome {}

  Cluster cluster() {
    return Xds.cluster("c", "\"transport_socket\": " + socket(fields));
  }

  /** A transport socket with these fields of its context. */
  static String socket(String fields) {
    return """
    {"name": "envoy.transport_sockets.tls", "typed_config": {
      "@type": "type.googleapis.com/envoy.extensions.transport_sockets.tls.v3.UpstreamTlsContext",
      %s}}
    """
        .formatted(fields.replace('\'', '"'));
  }

  static List<SocketShape> all() {
    return List.of(
        done("roots", common(ROOTS), ""),
        done(
            "roots in a combined context",
            common(
                "'combined_validation_context': {'default_validation_context': {"
                    + "'ca_certificate_provider_instance': {'instance_name': 'p'}}}"),
            ""),
        done(
            "roots in the older field",
            common(
                "'combined_validation_context': {'default_validation_context': {},"
                    + "'validation_context_certificate_provider_instance':"
                    + " {'instance_name': 'p'}}"),
            ""),
        shape(
            "own certificate",
            common("'tls_certificate_provider_instance': {'instance_name': 'p'}, " + ROOTS),
            new Done("", "CN=client")),
        shape(
            "own certificate in the older field",
            common(
                "'tls_certificate_certificate_provider_instance': {'instance_name': 'p'}, "
                    + ROOTS),
            new Done("", "CN=client")),
        done("sni", "'sni': 'shop.example.com', " + common(ROOTS), "shop.example.com"),
        new SocketShape(
            "sni of the endpoint",
            "'auto_host_sni': true, 'sni': 'shop.example.com', " + common(ROOTS),
            "endpoint.example.com",
            new Done("endpoint.example.com", "")),
        done(
            "sni of an endpoint without a name",
            "'auto_host_sni': true, 'sni': 'shop.example.com', " + common(ROOTS),
            "shop.example.com"),
        done(
            "certificate for the name that was sent",
            "'auto_sni_san_validation': true, 'sni': 'shop.example.com', " + common(ROOTS),
            "shop.example.com"),
        done(
            "certificate for a wildcard that covers the name that was sent",
            "'auto_sni_san_validation': true, 'sni': 'a.wild.example.com', " + common(ROOTS),
            "a.wild.example.com"),
        shape(
            "certificate for another name than was sent",
            "'auto_sni_san_validation': true, 'sni': 'stranger.example.com', " + common(ROOTS),
            new Failed("stranger.example.com", "is for shop.example.com")),
        done(
            "name that was sent is to be checked, but none was",
            "'auto_sni_san_validation': true, " + common(ROOTS),
            ""),
        done("exact name", names("'exact': 'shop.example.com'"), ""),
        done("exact name, covered by a wildcard", names("'exact': 'b.wild.example.com'"), ""),
        done("exact URI", names("'exact': 'spiffe://mesh/ns/shop'"), ""),
        done(
            "exact name in any case",
            names("'exact': 'SHOP.example.com', 'ignore_case': true"),
            ""),
        done("prefix of a name", names("'prefix': 'spiffe://mesh/'"), ""),
        done("suffix of a name", names("'suffix': '/ns/shop'"), ""),
        done("part of a name", names("'contains': 'mesh/ns'"), ""),
        done("pattern of a name", names("'safe_regex': {'regex': 'spiffe://[a-z]+/.*'}"), ""),
        done(
            "one of several names",
            names("'exact': 'other.example.com'}, {'exact': 'shop.example.com'"),
            ""),
        shape(
            "exact name in another case",
            names("'exact': 'SHOP.example.com'"),
            new Failed("", "(expected: a name that matches")),
        shape(
            "name of another",
            names("'prefix': 'cart'"),
            new Failed("", "is for shop.example.com")),
        shape(
            "wildcard does not cover two labels",
            names("'exact': 'a.b.wild.example.com'"),
            new Failed("", "is for shop.example.com")),
        shape(
            "roots of the system",
            common("'validation_context': {'system_root_certs': {}}"),
            new Failed("", "the roots of the system")),
        refused("unknown provider of roots", common(ROOTS.replace("'p'", "'q'")), "\"q\""),
        refused(
            "unknown provider of the own certificate",
            common("'tls_certificate_provider_instance': {'instance_name': 'q'}, " + ROOTS),
            "\"q\""),
        refused("nothing but a name", "'sni': 'shop.example.com'", "common_tls_context"),
        refused(
            "no validation",
            common("'tls_certificate_provider_instance': {'instance_name': 'p'}"),
            "no way to validate the server"),
        refused("no roots", common("'validation_context': {}"), "ca_certificate_provider_instance"),
        refused(
            "roots in a file that the control plane names",
            common("'validation_context': {'trusted_ca': {'filename': '/etc/ca.pem'}}"),
            "ca_certificate_provider_instance"),
        refused(
            "own certificate in a file that the control plane names",
            common(
                "'tls_certificates': [{'certificate_chain': {'filename': '/etc/c.pem'}}], "
                    + ROOTS),
            "tls_certificates"),
        refused(
            "roots from SDS",
            common("'validation_context_sds_secret_config': {'name': 's'}"),
            "validation_context_sds_secret_config"),
        refused(
            "own certificate from SDS",
            common("'tls_certificate_sds_secret_configs': [{'name': 's'}], " + ROOTS),
            "tls_certificate_sds_secret_configs"),
        refused("versions and ciphers", common("'tls_params': {}, " + ROOTS), "tls_params"),
        refused(
            "handshaker",
            common("'custom_handshaker': {'name': 'h'}, " + ROOTS),
            "custom_handshaker"),
        refused(
            "pinned key",
            validation(
                "'verify_certificate_spki': ['NvqYIYSbgK2vCJpQhObf77vv+bQWtc5ek5RIOwPiC9A=']"),
            "verify_certificate_spki"),
        refused(
            "pinned certificate",
            validation(
                "'verify_certificate_hash':"
                    + " ['df6ff72fe9116521268f6f2dd4966f51df479883fe7037b39f75916ac3049d1a']"),
            "verify_certificate_hash"),
        refused(
            "names by kind",
            validation(
                "'match_typed_subject_alt_names':"
                    + " [{'san_type': 'DNS', 'matcher': {'exact': 'other.example.com'}}]"),
            "match_typed_subject_alt_names"),
        refused("revocations", validation("'crl': {'filename': '/etc/revoked.pem'}"), "crl"),
        refused(
            "timestamps",
            validation("'require_signed_certificate_timestamp': true"),
            "require_signed_certificate_timestamp"),
        refused(
            "validator",
            validation("'custom_validator_config': {'name': 'v'}"),
            "custom_validator_config"),
        refused(
            "name that is too long",
            "'sni': '" + "a".repeat(256) + "', " + common(ROOTS),
            "at most 255"));
  }

  private static SocketShape done(String name, String fields, String sni) {
    return shape(name, fields, new Done(sni, ""));
  }

  private static SocketShape refused(String name, String fields, String text) {
    return shape(name, fields, new Refused(text));
  }

  private static SocketShape shape(String name, String fields, Outcome outcome) {
    return new SocketShape(name, fields, "", outcome);
  }

  private static String common(String fields) {
    return "'common_tls_context': {" + fields + "}";
  }

  /** A validation context with the usual roots, and more. */
  private static String validation(String fields) {
    return common(ROOTS.substring(0, ROOTS.length() - 1) + ", " + fields + "}");
  }

  private static String names(String matcher) {
    return validation("'match_subject_alt_names': [{" + matcher + "}]");
  }

  @Override
  public String toString() {
    return name;
  }
}
