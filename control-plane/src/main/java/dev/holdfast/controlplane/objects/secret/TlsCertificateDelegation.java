// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.controlplane.objects.secret;

import dev.holdfast.config.ConfigObject;
import dev.holdfast.config.ObjectKey;
import dev.holdfast.controlplane.objects.read.DecodingContext;
import dev.holdfast.controlplane.objects.read.Fields;
import dev.holdfast.controlplane.objects.read.TextRule;
import dev.holdfast.controlplane.objects.read.TextRules;
import dev.holdfast.controlplane.objects.read.TypedObject;
import java.util.List;

/** Allows other namespaces to use secrets of this one. */
public record TlsCertificateDelegation(ObjectKey key, List<Delegation> delegations)
    implements TypedObject {
  public static final String API_VERSION = "projectcontour.io/v1";
  public static final String KIND = "TLSCertificateDelegation";
  private static final TextRule TARGET =
      TextRule.matching("\\*|[a-z0-9]([-a-z0-9]*[a-z0-9])?", "a namespace, or \"*\"");

  /** A secret with the namespaces that may use it, {@code "*"} for all. */
  public record Delegation(String secretName, List<String> targetNamespaces) {
    static Delegation decode(Fields fields) {
      return new Delegation(
          fields.requiredText("secretName", TextRules.NAME),
          fields.requiredTexts("targetNamespaces", TARGET));
    }
  }

  public static TlsCertificateDelegation decode(ConfigObject object, DecodingContext context) {
    return new TlsCertificateDelegation(
        object.key(), context.read(object.body(), TlsCertificateDelegation::body));
  }

  /** Decodes the fields next to the metadata. */
  public static List<Delegation> body(Fields fields) {
    return fields.requiredGroup("spec", TlsCertificateDelegation::spec);
  }

  private static List<Delegation> spec(Fields fields) {
    List<Delegation> delegations = fields.groups("delegations", Delegation::decode);
    if (!fields.has("delegations")) {
      fields.missing("delegations", "missing");
    }
    return delegations;
  }
}
