// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.controlplane.objects.ingress;

import dev.holdfast.config.ConfigObject;
import dev.holdfast.config.ObjectKey;
import dev.holdfast.controlplane.objects.read.Annotations;
import dev.holdfast.controlplane.objects.read.DecodingContext;
import dev.holdfast.controlplane.objects.read.Fields;
import dev.holdfast.controlplane.objects.read.OnReject;
import dev.holdfast.controlplane.objects.read.TextRules;
import dev.holdfast.controlplane.objects.read.TypedObject;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * An Ingress: routes by host and path.
 *
 * @param ingressClass empty if the object names none
 * @param defaultBackend receives requests that no rule matches
 */
public record Ingress(
    ObjectKey key,
    String ingressClass,
    @Nullable Backend defaultBackend,
    List<Tls> tls,
    List<Rule> rules,
    IngressSettings settings)
    implements TypedObject {
  public static final String API_VERSION = "networking.k8s.io/v1";
  public static final String KIND = "Ingress";

  /**
   * The certificate of some hosts.
   *
   * @param secretName empty if there is none
   */
  public record Tls(List<String> hosts, String secretName) {
    static Tls decode(Fields fields) {
      return new Tls(
          fields.texts("hosts", TextRules.HOST_OR_WILDCARD),
          fields.textOrEmpty("secretName", TextRules.NAME));
    }
  }

  /**
   * The paths of a host.
   *
   * @param host {@code *} for all of them
   */
  public record Rule(String host, List<PathRule> paths) {
    static Rule decode(Fields fields) {
      String host = fields.text("host", TextRules.HOST_OR_WILDCARD);
      List<PathRule> paths = fields.group("http", Rule::paths);
      return new Rule(host == null ? "*" : host, paths == null ? List.of() : paths);
    }

    private static List<PathRule> paths(Fields fields) {
      List<PathRule> paths = fields.groups("paths", PathRule::decode);
      if (paths.isEmpty() && !fields.has("paths")) {
        fields.missing("paths", "missing (expected: at least one)");
      }
      return paths;
    }
  }

  /** The spec as written. */
  public record Spec(
      String ingressClassName, @Nullable Backend defaultBackend, List<Tls> tls, List<Rule> rules) {
    static Spec decode(Fields fields) {
      Spec spec =
          new Spec(
              fields.textOrEmpty("ingressClassName", TextRules.ANY),
              fields.group("defaultBackend", Backend::decode),
              fields.groups("tls", Tls::decode),
              fields.groups("rules", Rule::decode));
      if (!fields.has("defaultBackend") && !fields.has("rules")) {
        fields.invalid("nothing (expected: defaultBackend or rules)");
      }
      return spec;
    }
  }

  public static Ingress decode(ConfigObject object, DecodingContext context) {
    Spec spec = context.read(object.body(), Ingress::body);
    Annotations annotations = new Annotations(object, context);
    OnReject.check(object, context);
    IngressSettings settings = IngressSettings.decode(annotations);
    return new Ingress(
        object.key(),
        IngressSettings.ingressClass(annotations, spec.ingressClassName()),
        spec.defaultBackend(),
        spec.tls(),
        spec.rules(),
        settings);
  }

  /** Decodes the fields next to the metadata. */
  public static Spec body(Fields fields) {
    return fields.requiredGroup("spec", Spec::decode);
  }
}
