// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.controlplane.objects.httpproxy;

import dev.holdfast.controlplane.objects.read.EnumWord;
import dev.holdfast.controlplane.objects.read.Fields;
import dev.holdfast.controlplane.objects.read.TextRules;
import org.jspecify.annotations.Nullable;

/**
 * The TLS settings of a virtual host.
 *
 * @param secretName {@code name} or {@code namespace/name}; null for TLS passthrough
 * @param fallback whether clients that name no host, or an unknown one, are served as well, with a
 *     certificate of the operator
 */
public record Tls(
    @Nullable String secretName,
    Version minimum,
    Version maximum,
    @Nullable ClientValidation clientValidation,
    boolean fallback) {

  /** A TLS version. */
  public enum Version implements EnumWord {
    TLS_1_2("1.2"),
    TLS_1_3("1.3");

    private final String word;

    Version(String word) {
      this.word = word;
    }

    @Override
    public String word() {
      return word;
    }
  }

  /**
   * How client certificates are validated.
   *
   * @param caSecret null only if the certificate is not validated
   * @param crlSecret null if no certificate is revoked
   * @param crlLeafOnly whether only the client's own certificate is looked up in the lists
   * @param forward null if services are not told of the certificate
   */
  public record ClientValidation(
      @Nullable String caSecret,
      Mode mode,
      boolean optional,
      @Nullable String crlSecret,
      boolean crlLeafOnly,
      @Nullable Forward forward) {
    /** What services are told of the client's certificate. */
    public record Forward(boolean subject, boolean cert, boolean chain, boolean dns, boolean uri) {
      static Forward decode(Fields fields) {
        return new Forward(
            fields.flag("subject"),
            fields.flag("cert"),
            fields.flag("chain"),
            fields.flag("dns"),
            fields.flag("uri"));
      }
    }

    /** Whether the proxy validates the certificate. */
    public enum Mode {
      VERIFY,
      ACCEPT_ANY
    }

    static ClientValidation decode(Fields fields) {
      String caSecret = fields.text("caSecret", TextRules.SECRET_REFERENCE);
      Mode mode = fields.flag("skipClientCertValidation") ? Mode.ACCEPT_ANY : Mode.VERIFY;
      if (!fields.has("caSecret") && mode == Mode.VERIFY) {
        fields.missing(
            "caSecret",
            "missing (expected: a secret with ca.crt, unless skipClientCertValidation)");
      }
      boolean optional = fields.flag("optionalClientCertificate");
      String crlSecret = fields.text("crlSecret", TextRules.SECRET_REFERENCE);
      boolean crlLeafOnly = fields.flag("crlOnlyVerifyLeafCert");
      if (fields.has("crlSecret") && (!fields.has("caSecret") || mode == Mode.ACCEPT_ANY)) {
        fields.invalid(
            "crlSecret", "certificates are not validated (expected: caSecret, and no skip)");
      }
      return new ClientValidation(
          caSecret,
          mode,
          optional,
          crlSecret,
          crlLeafOnly,
          fields.group("forwardClientCertificate", Forward::decode));
    }
  }

  /** Whether the proxy forwards TLS connections without terminating them. */
  public boolean passthrough() {
    return secretName == null;
  }

  static Tls decode(Fields fields) {
    String secretName = fields.text("secretName", TextRules.SECRET_REFERENCE);
    boolean passthrough = fields.flag("passthrough");
    Version minimum = fields.enumValue("minimumProtocolVersion", Version.TLS_1_2);
    Version maximum = fields.enumValue("maximumProtocolVersion", Version.TLS_1_3);
    ClientValidation validation = fields.group("clientValidation", ClientValidation::decode);
    boolean fallback = fields.flag("enableFallbackCertificate");
    if (fields.has("secretName") == passthrough) {
      fields.invalid(
          passthrough
              ? "both secretName and passthrough (expected: one of them)"
              : "neither secretName nor passthrough (expected: one of them)");
    }
    if (passthrough && fields.has("clientValidation")) {
      fields.invalid("clientValidation", "has no effect with passthrough (expected: one of them)");
    }
    if (fallback && passthrough) {
      fields.invalid(
          "enableFallbackCertificate", "has no effect with passthrough (expected: one of them)");
    }
    if (fallback && fields.has("clientValidation")) {
      fields.invalid(
          "enableFallbackCertificate",
          "lets clients in without their certificate (expected: no clientValidation)");
    }
    if (minimum.compareTo(maximum) > 0) {
      fields.invalid(
          "minimumProtocolVersion",
          minimum.word() + " (expected: not above maximumProtocolVersion, " + maximum.word() + ")");
    }
    return new Tls(secretName, minimum, maximum, validation, fallback);
  }
}
