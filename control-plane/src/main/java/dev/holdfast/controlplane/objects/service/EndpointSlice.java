// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.controlplane.objects.service;

import dev.holdfast.base.Problem;
import dev.holdfast.config.ConfigObject;
import dev.holdfast.config.ObjectKey;
import dev.holdfast.controlplane.objects.read.DecodingContext;
import dev.holdfast.controlplane.objects.read.EnumWord;
import dev.holdfast.controlplane.objects.read.Fields;
import dev.holdfast.controlplane.objects.read.IpAddress;
import dev.holdfast.controlplane.objects.read.TextRules;
import dev.holdfast.controlplane.objects.read.TypedObject;
import java.util.ArrayList;
import java.util.List;

/**
 * A part of the endpoints of a service.
 *
 * @param service the name of the service, in the same namespace
 */
public record EndpointSlice(
    ObjectKey key, String service, List<Endpoint> endpoints, List<Port> ports)
    implements TypedObject {
  public static final String API_VERSION = "discovery.k8s.io/v1";
  public static final String KIND = "EndpointSlice";
  private static final String SERVICE_LABEL = "kubernetes.io/service-name";
  private static final int MAX_ADDRESSES = 100;

  /** The type of the addresses. */
  public enum AddressType implements EnumWord {
    IPV4("IPv4"),
    IPV6("IPv6"),
    FQDN("FQDN");

    private final String word;

    AddressType(String word) {
      this.word = word;
    }

    @Override
    public String word() {
      return word;
    }
  }

  /** An endpoint with its addresses. */
  public record Endpoint(List<String> addresses, boolean ready, String zone) {
    private record Conditions(boolean ready) {
      static Conditions decode(Fields fields) {
        Conditions conditions = new Conditions(fields.flag("ready", /* fallback= */ true));
        fields.ignore("serving", "terminating");
        return conditions;
      }
    }

    static Endpoint decode(Fields fields) {
      List<String> addresses = fields.requiredTexts("addresses", TextRules.NOT_EMPTY);
      if (addresses.size() > MAX_ADDRESSES) {
        fields.invalid(
            "addresses", addresses.size() + " (expected: at most " + MAX_ADDRESSES + ")");
      }
      Conditions conditions = fields.group("conditions", Conditions::decode);
      String zone = fields.textOrEmpty("zone", TextRules.ANY);
      fields.ignore("hostname", "nodeName", "targetRef", "hints", "deprecatedTopology");
      return new Endpoint(addresses, conditions == null || conditions.ready(), zone);
    }
  }

  /** A port of every endpoint, with the name of the service's port. */
  public record Port(String name, int port, Service.Transport transport) {
    static Port decode(Fields fields) {
      Port port =
          new Port(
              fields.textOrEmpty("name", TextRules.ANY),
              (int) fields.requiredInteger("port", 1, 65535),
              fields.enumValue("protocol", Service.Transport.TCP));
      fields.ignore("appProtocol");
      return port;
    }
  }

  /** The fields as written. */
  public record Body(AddressType type, List<Endpoint> endpoints, List<Port> ports) {
    /** Without the addresses that are wrong: the others are still good. */
    private Body checked(Fields fields) {
      if (type == AddressType.FQDN) {
        fields.unsupported("addressType", "endpoints of address type FQDN");
        return this;
      }
      List<Endpoint> usable = new ArrayList<>();
      for (int i = 0; i < endpoints.size(); i++) {
        Endpoint endpoint = endpoints.get(i);
        List<String> good = new ArrayList<>();
        for (String address : endpoint.addresses()) {
          boolean right =
              type == AddressType.IPV4 ? IpAddress.isV4(address) : IpAddress.isV6(address);
          if (right) {
            good.add(address);
          } else {
            fields.leftOut(
                "endpoints",
                i,
                "address \"" + address + "\" (expected: an " + type.word() + " address)");
          }
        }
        if (!good.isEmpty()) {
          usable.add(new Endpoint(good, endpoint.ready(), endpoint.zone()));
        }
      }
      return new Body(type, List.copyOf(usable), ports);
    }
  }

  public static EndpointSlice decode(ConfigObject object, DecodingContext context) {
    Body body = context.read(object.body(), EndpointSlice::body);
    String service = object.labels().get(SERVICE_LABEL);
    if (service == null || service.isEmpty()) {
      context.add(
          "metadata.labels[\"" + SERVICE_LABEL + "\"]",
          Problem.Kind.REQUIRED,
          "missing (expected: the name of the service)",
          object.body().position());
    }
    return new EndpointSlice(
        object.key(), service == null ? "" : service, body.endpoints(), body.ports());
  }

  /** Decodes the fields next to the metadata. */
  public static Body body(Fields fields) {
    return new Body(
            fields.requiredEnumValue("addressType", AddressType.IPV4),
            fields.groups("endpoints", Endpoint::decode),
            fields.groups("ports", Port::decode))
        .checked(fields);
  }
}
