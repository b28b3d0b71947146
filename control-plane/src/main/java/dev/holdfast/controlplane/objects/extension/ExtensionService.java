// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.controlplane.objects.extension;

import dev.holdfast.config.ConfigObject;
import dev.holdfast.config.ObjectKey;
import dev.holdfast.controlplane.objects.httpproxy.LoadBalancing;
import dev.holdfast.controlplane.objects.httpproxy.RouteService.UpstreamValidation;
import dev.holdfast.controlplane.objects.httpproxy.TimeoutPolicy;
import dev.holdfast.controlplane.objects.read.DecodingContext;
import dev.holdfast.controlplane.objects.read.EnumWord;
import dev.holdfast.controlplane.objects.read.Fields;
import dev.holdfast.controlplane.objects.read.TextRules;
import dev.holdfast.controlplane.objects.read.Timeout;
import dev.holdfast.controlplane.objects.read.TypedObject;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * An ExtensionService: a service that proxies ask before they forward a request.
 *
 * @param target the service, in the same namespace
 * @param validation null if the certificate of the service is not validated
 * @param timeouts {@code response} counts unless the object that asks sets another one
 */
public record ExtensionService(
    ObjectKey key,
    Target target,
    Protocol protocol,
    @Nullable UpstreamValidation validation,
    LoadBalancing loadBalancing,
    TimeoutPolicy timeouts)
    implements TypedObject {
  public static final String API_VERSION = "projectcontour.io/v1alpha1";
  public static final String KIND = "ExtensionService";
  private static final long UINT32_MAX = 0xffff_ffffL;

  /** The protocol of the connection to the service. */
  public enum Protocol implements EnumWord {
    HTTP_1("http/1.1"),
    H2("h2"),
    H2C("h2c");

    private final String word;

    Protocol(String word) {
      this.word = word;
    }

    @Override
    public String word() {
      return word;
    }
  }

  /** The version of the API between proxies and the service. */
  private enum ApiVersion implements EnumWord {
    V3;

    @Override
    public String word() {
      return "v3";
    }
  }

  /** A port of a service. */
  public record Target(String name, int port) {
    static final Target NONE = new Target("", 1);

    static Target decode(Fields fields) {
      Target target =
          new Target(
              fields.requiredText("name", TextRules.NAME),
              (int) fields.requiredInteger("port", 1, 65535));
      Long unused = fields.integer("weight", 0, UINT32_MAX);
      return target;
    }
  }

  /** The spec as written. */
  public record Spec(
      Target target,
      Protocol protocol,
      @Nullable UpstreamValidation validation,
      LoadBalancing loadBalancing,
      TimeoutPolicy timeouts) {
    static Spec decode(Fields fields) {
      List<Target> targets = fields.groups("services", Target::decode);
      if (!fields.has("services")) {
        fields.missing("services", "missing (expected: one)");
      } else if (fields.isEmptySequence("services")) {
        fields.invalid("services", "[] (expected: one)");
      } else if (targets.size() > 1) {
        fields.unsupported("services", "more than one service (expected: one)");
      }
      Spec spec =
          new Spec(
              targets.isEmpty() ? Target.NONE : targets.get(0),
              fields.enumValue("protocol", Protocol.H2),
              fields.group("validation", UpstreamValidation::decode),
              LoadBalancing.ofConnections(fields),
              TimeoutPolicy.decode(fields));
      ApiVersion unused = fields.enumValue("protocolVersion", ApiVersion.V3);
      fields.reject("circuitBreakerPolicy", "limits here (expected: annotations of the Service)");
      if (spec.validation() != null && spec.protocol() != Protocol.H2) {
        fields.invalid("validation", "without TLS (expected: protocol h2)");
      }
      if (spec.timeouts().idle().kind() != Timeout.Kind.DEFAULT) {
        fields.unsupported("timeoutPolicy", "an idle timeout of requests (expected: response)");
      }
      return spec;
    }
  }

  public static ExtensionService decode(ConfigObject object, DecodingContext context) {
    Spec spec = context.read(object.body(), ExtensionService::body);
    return new ExtensionService(
        object.key(),
        spec.target(),
        spec.protocol(),
        spec.validation(),
        spec.loadBalancing(),
        spec.timeouts());
  }

  /** Decodes the fields next to the metadata. */
  public static Spec body(Fields fields) {
    return fields.requiredGroup("spec", Spec::decode);
  }
}
