// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.controlplane.objects.httpproxy;

import dev.holdfast.controlplane.objects.read.EnumWord;
import dev.holdfast.controlplane.objects.read.Fields;
import dev.holdfast.controlplane.objects.read.TextRule;
import dev.holdfast.controlplane.objects.read.TextRules;
import dev.holdfast.controlplane.objects.read.Timeout;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * A service that decides about every request of a host.
 *
 * @param namespace of the ExtensionService; empty for that of the proxy
 * @param name of the ExtensionService; empty for the one that the operator has for all hosts
 * @param policy what counts for routes that do not say otherwise
 * @param failOpen whether requests pass if the service cannot be asked
 * @param body null if the service is not shown the body of requests
 */
public record Authorization(
    String namespace,
    String name,
    Type type,
    Http http,
    Policy policy,
    Timeout responseTimeout,
    boolean failOpen,
    @Nullable Body body) {
  private static final String REFERENCED = "projectcontour.io/v1alpha1";
  private static final long UINT32_MAX = 0xffff_ffffL;
  private static final int DEFAULT_BYTES = 1024;
  private static final List<String> SERVICE_SETTINGS =
      List.of("serviceType", "httpSettings", "responseTimeout", "withRequestBody");

  /** The protocol between the proxy and the service. */
  public enum Type implements EnumWord {
    GRPC,
    HTTP;

    @Override
    public String word() {
      return name().toLowerCase(Locale.ROOT);
    }
  }

  /**
   * Whether a route is authorized, and what the service is told about it.
   *
   * @param context texts for the service
   */
  public record Policy(boolean disabled, SortedMap<String, String> context) {
    static final Policy NONE = new Policy(/* disabled= */ false, Collections.emptySortedMap());

    static Policy decode(Fields fields) {
      return new Policy(fields.flag("disabled"), fields.dictionary("context"));
    }

    /** The policy of a route whose host has this policy. */
    public Policy overriddenBy(@Nullable Policy route) {
      if (route == null) {
        return this;
      }
      SortedMap<String, String> merged = new TreeMap<>(context);
      merged.putAll(route.context);
      return new Policy(route.disabled, Collections.unmodifiableSortedMap(merged));
    }
  }

  /**
   * Settings for a service that speaks plain HTTP.
   *
   * @param pathPrefix put in front of the path of a request; empty for none
   * @param toService the headers of a request that the service is shown
   * @param fromService the headers of its answer that the request is given
   */
  public record Http(String pathPrefix, List<Header> toService, List<Header> fromService) {
    static final Http NONE = new Http("", List.of(), List.of());

    static Http decode(Fields fields) {
      return new Http(
          fields.textOrEmpty("pathPrefix", TextRules.PATH),
          fields.groups("allowedAuthorizationHeaders", Header::decode),
          fields.groups("allowedUpstreamHeaders", Header::decode));
    }
  }

  /** Names of headers. */
  public record Header(Match match, String text, boolean ignoreCase) {
    private static final TextRule NAME_PART = TextRules.TOKEN_NAME;

    /** How a name is matched. */
    public enum Match {
      EXACT,
      PREFIX,
      SUFFIX,
      CONTAINS
    }

    static Header decode(Fields fields) {
      List<Header> given = new ArrayList<>();
      boolean ignoreCase = fields.flag("ignoreCase");
      for (Match match : Match.values()) {
        String field = match.name().toLowerCase(Locale.ROOT);
        String text = fields.text(field, NAME_PART);
        if (fields.has(field)) {
          given.add(new Header(match, text == null ? "" : text, ignoreCase));
        }
      }
      if (given.size() != 1) {
        fields.invalid(
            (given.isEmpty() ? "nothing" : "more than one comparison")
                + " (expected: exactly one of exact, prefix, suffix, contains)");
      }
      return given.isEmpty() ? new Header(Match.EXACT, "", ignoreCase) : given.get(0);
    }
  }

  /** How much of the body of a request the service is shown. */
  public record Body(long maxBytes, boolean allowPartial, boolean packAsBytes) {
    static Body decode(Fields fields) {
      return new Body(
          fields.integer("maxRequestBytes", 1, UINT32_MAX, DEFAULT_BYTES),
          fields.flag("allowPartialMessage"),
          fields.flag("packAsBytes"));
    }
  }

  private record Reference(String namespace, String name) {
    static final Reference NONE = new Reference("", "");

    static Reference decode(Fields fields) {
      String apiVersion = fields.text("apiVersion", TextRules.ANY);
      if (apiVersion != null && !apiVersion.equals(REFERENCED)) {
        fields.invalid("apiVersion", "\"" + apiVersion + "\" (expected: " + REFERENCED + ")");
      }
      return new Reference(
          fields.textOrEmpty("namespace", TextRules.NAMESPACE),
          fields.textOrEmpty("name", TextRules.NAME));
    }
  }

  /** Whether the host has a service of its own. */
  public boolean hasService() {
    return !name.isEmpty();
  }

  /** The same service, with another policy for routes that do not say otherwise. */
  public Authorization with(Policy other) {
    return new Authorization(namespace, name, type, http, other, responseTimeout, failOpen, body);
  }

  /** Decodes what counts for all hosts; its service is {@code NAMESPACE/NAME}. */
  public static Authorization forAll(Fields fields) {
    String service = fields.requiredText("service", TextRules.SECRET_REFERENCE);
    int slash = service.indexOf('/');
    if (slash < 0 && fields.has("service")) {
      fields.invalid("service", "\"" + service + "\" (expected: NAMESPACE/NAME)");
    }
    Policy policy = fields.group("authPolicy", Policy::decode);
    return new Authorization(
        slash < 0 ? "" : service.substring(0, slash),
        service.substring(slash + 1),
        Type.GRPC,
        Http.NONE,
        policy == null ? Policy.NONE : policy,
        fields.timeout("responseTimeout"),
        fields.flag("failOpen"),
        fields.group("withRequestBody", Body::decode));
  }

  static Authorization decode(Fields fields) {
    Reference written = fields.group("extensionRef", Reference::decode);
    Reference reference = written == null ? Reference.NONE : written;
    Type type = fields.enumValue("serviceType", Type.GRPC);
    Http http = fields.group("httpSettings", Http::decode);
    Policy policy = fields.group("authPolicy", Policy::decode);
    if (type == Type.GRPC && fields.has("httpSettings")) {
      fields.invalid("httpSettings", "without effect (expected: serviceType http as well)");
    }
    if (type == Type.HTTP && policy != null && !policy.context().isEmpty()) {
      fields.invalid("authPolicy", "a context (expected: none, or serviceType grpc)");
    }
    boolean own = !reference.name().isEmpty();
    for (String field : SERVICE_SETTINGS) {
      if (!own && fields.has(field)) {
        fields.invalid(field, "without effect (expected: extensionRef as well)");
      }
    }
    return new Authorization(
        own ? reference.namespace() : "",
        own ? reference.name() : "",
        type,
        http == null ? Http.NONE : http,
        policy == null ? Policy.NONE : policy,
        fields.timeout("responseTimeout"),
        fields.flag("failOpen"),
        fields.group("withRequestBody", Body::decode));
  }
}
