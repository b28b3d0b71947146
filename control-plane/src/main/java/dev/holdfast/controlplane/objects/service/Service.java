// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.controlplane.objects.service;

import dev.holdfast.config.ConfigObject;
import dev.holdfast.config.ObjectKey;
import dev.holdfast.controlplane.objects.read.Annotations;
import dev.holdfast.controlplane.objects.read.DecodingContext;
import dev.holdfast.controlplane.objects.read.EnumWord;
import dev.holdfast.controlplane.objects.read.Fields;
import dev.holdfast.controlplane.objects.read.TextRules;
import dev.holdfast.controlplane.objects.read.TypedObject;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * A Service: the destination of requests.
 *
 * @param clusterIp empty if none is written; {@code None} for a headless service
 * @param externalName the DNS name, or address, of a service of type ExternalName; otherwise empty
 */
public record Service(
    ObjectKey key,
    List<Port> ports,
    Type type,
    String clusterIp,
    String externalName,
    ServiceAnnotations settings)
    implements TypedObject {
  public static final String API_VERSION = "v1";
  public static final String KIND = "Service";

  /** How Kubernetes exposes the service. */
  public enum Type implements EnumWord {
    CLUSTER_IP("ClusterIP"),
    NODE_PORT("NodePort"),
    LOAD_BALANCER("LoadBalancer"),
    EXTERNAL_NAME("ExternalName");

    private final String word;

    Type(String word) {
      this.word = word;
    }

    @Override
    public String word() {
      return word;
    }
  }

  /** The transport protocol of a port. */
  public enum Transport implements EnumWord {
    TCP,
    UDP,
    SCTP;

    @Override
    public String word() {
      return name();
    }
  }

  /**
   * A port of the service.
   *
   * @param name empty if it is the only port
   */
  public record Port(String name, int port, Transport transport) {
    static Port decode(Fields fields) {
      Port port =
          new Port(
              fields.textOrEmpty("name", TextRules.NAMESPACE),
              (int) fields.requiredInteger("port", 1, 65535),
              fields.enumValue("protocol", Transport.TCP));
      fields.ignore("targetPort", "nodePort", "appProtocol");
      return port;
    }
  }

  /** The spec as written. */
  public record Spec(List<Port> ports, Type type, String clusterIp, String externalName) {
    static Spec decode(Fields fields) {
      Spec spec =
          new Spec(
              fields.groups("ports", Port::decode),
              fields.enumValue("type", Type.CLUSTER_IP),
              fields.textOrEmpty("clusterIP", TextRules.ANY),
              ExternalNames.decode(fields));
      fields.ignore(
          "allocateLoadBalancerNodePorts",
          "clusterIPs",
          "externalIPs",
          "externalTrafficPolicy",
          "healthCheckNodePort",
          "internalTrafficPolicy",
          "ipFamilies",
          "ipFamilyPolicy",
          "loadBalancerClass",
          "loadBalancerIP",
          "loadBalancerSourceRanges",
          "publishNotReadyAddresses",
          "selector",
          "sessionAffinity",
          "sessionAffinityConfig",
          "trafficDistribution");
      if (spec.type() == Type.EXTERNAL_NAME && !fields.has("externalName")) {
        fields.missing("externalName", "missing (expected: a DNS name, for type ExternalName)");
      }
      checkPorts(spec, fields);
      return spec;
    }

    private static void checkPorts(Spec spec, Fields fields) {
      List<Port> ports = spec.ports();
      if (!fields.has("ports") && spec.type() != Type.EXTERNAL_NAME) {
        fields.missing("ports", "missing (expected: at least one)");
      }
      Set<String> names = new HashSet<>();
      Set<String> numbers = new HashSet<>();
      for (int i = 0; i < ports.size(); i++) {
        Port port = ports.get(i);
        if (ports.size() > 1 && port.name().isEmpty()) {
          fields.invalid(
              "ports", i, "without a name (expected: a name, as there are several ports)");
        } else if (!names.add(port.name())) {
          fields.invalid("ports", i, "a second port named \"" + port.name() + "\"");
        }
        if (!numbers.add(port.port() + "/" + port.transport())) {
          fields.invalid("ports", i, "a second port " + port.port() + "/" + port.transport());
        }
      }
    }
  }

  public static Service decode(ConfigObject object, DecodingContext context) {
    Spec spec = context.read(object.body(), Service::body);
    ServiceAnnotations settings = ServiceAnnotations.decode(new Annotations(object, context));
    return new Service(
        object.key(),
        spec.ports(),
        spec.type(),
        spec.clusterIp(),
        spec.type() == Type.EXTERNAL_NAME ? spec.externalName() : "",
        settings);
  }

  /** Decodes the fields next to the metadata. */
  public static Spec body(Fields fields) {
    return fields.requiredGroup("spec", Spec::decode);
  }
}
