// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.controlplane.objects.httpproxy;

import dev.holdfast.controlplane.objects.read.EnumWord;
import dev.holdfast.controlplane.objects.read.Fields;
import dev.holdfast.controlplane.objects.read.TextRule;
import dev.holdfast.controlplane.objects.read.TextRules;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * A service that receives requests of a route.
 *
 * @param protocol null if the Service's annotations decide
 * @param mirror whether it receives copies only, of {@code weight} percent of the requests
 */
public record RouteService(
    String name,
    int port,
    long weight,
    @Nullable Protocol protocol,
    boolean mirror,
    @Nullable UpstreamValidation validation,
    @Nullable HeadersPolicy requestHeaders,
    @Nullable HeadersPolicy responseHeaders,
    List<CookieRewrite> cookieRewrites) {
  private static final long UINT32_MAX = 0xffff_ffffL;
  private static final int ALL = 100;

  /** The protocol of the connection to the service. */
  public enum Protocol implements EnumWord {
    H2,
    H2C,
    TLS;

    @Override
    public String word() {
      return name().toLowerCase(Locale.ROOT);
    }
  }

  /** How the certificate of the service is validated. */
  public record UpstreamValidation(String caSecret, List<String> subjectNames) {
    private static final int MAX_NAMES = 8;
    private static final TextRule SUBJECT =
        TextRule.checked("1 to 250 characters", text -> !text.isEmpty() && text.length() <= 250);

    /** Decodes the field {@code validation} of any object that has one. */
    public static UpstreamValidation decode(Fields fields) {
      String caSecret = fields.requiredText("caSecret", TextRules.SECRET_REFERENCE);
      String first = fields.requiredText("subjectName", SUBJECT);
      List<String> names = fields.texts("subjectNames", SUBJECT);
      if (fields.has("subjectNames") && (names.isEmpty() || names.size() > MAX_NAMES)) {
        fields.invalid("subjectNames", names.size() + " names (expected: 1 to " + MAX_NAMES + ")");
      }
      if (!names.isEmpty() && !names.get(0).equals(first)) {
        fields.invalid(
            "subjectNames", 0, "\"" + names.get(0) + "\" (expected: the same as subjectName)");
      }
      return new UpstreamValidation(caSecret, names.isEmpty() ? List.of(first) : names);
    }
  }

  /** The same service with changes of headers that it does not make itself. */
  public RouteService withDefaults(HeadersPolicy request, HeadersPolicy response) {
    return new RouteService(
        name,
        port,
        weight,
        protocol,
        mirror,
        validation,
        HeadersPolicy.withDefaults(requestHeaders, request),
        HeadersPolicy.withDefaults(responseHeaders, response),
        cookieRewrites);
  }

  static RouteService ofRoute(Fields fields) {
    return decode(fields);
  }

  /** Decodes a service of a tcpproxy, which has no requests to mirror or to change. */
  static RouteService ofTcpProxy(Fields fields) {
    RouteService service = decode(fields);
    for (String name :
        List.of(
            "mirror", "requestHeadersPolicy", "responseHeadersPolicy", "cookieRewritePolicies")) {
      if (fields.has(name)) {
        fields.invalid(name, "not allowed in a tcpproxy (expected: absent)");
      }
    }
    return service;
  }

  private static RouteService decode(Fields fields) {
    String name = fields.requiredText("name", TextRules.NAME);
    int port = (int) fields.requiredInteger("port", 1, 65535);
    long weight = fields.integer("weight", 0, UINT32_MAX, 0);
    boolean mirror = fields.flag("mirror");
    if (mirror && weight > ALL) {
      fields.invalid("weight", weight + " (expected: for a mirror, 0 to 100 per cent)");
    }
    RouteService service =
        new RouteService(
            name,
            port,
            mirror && weight == 0 ? ALL : weight,
            fields.enumValue("protocol", Protocol.class),
            mirror,
            fields.group("validation", UpstreamValidation::decode),
            HeadersPolicy.request(fields, HeadersPolicy.Scope.SERVICE_REQUEST),
            HeadersPolicy.response(fields),
            CookieRewrite.policies(fields));
    fields.reject("slowStartPolicy", "slow start");
    fields.reject("healthPort", "health checks on another port");
    return service;
  }

  /** Checks the services of one route or tcpproxy together. */
  static void checkTogether(List<RouteService> services, Fields parent) {
    int mirrors = 0;
    long weights = 0;
    for (int i = 0; i < services.size(); i++) {
      RouteService service = services.get(i);
      if (!service.mirror()) {
        weights += service.weight();
      } else if (++mirrors == 2) {
        parent.invalid("services", i, "a second mirror (expected: at most one)");
      }
    }
    if (parent.isEmptySequence("services")) {
      parent.invalid("services", "[] (expected: at least one)");
    } else if (mirrors > 0 && services.size() == mirrors) {
      parent.invalid(
          "services", "only mirrors (expected: at least one service that is not a mirror)");
    }
    if (weights > UINT32_MAX) {
      parent.invalid(
          "services", "weights add up to " + weights + " (expected: at most " + UINT32_MAX + ")");
    }
  }
}
