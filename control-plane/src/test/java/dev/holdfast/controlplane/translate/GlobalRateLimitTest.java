// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.controlplane.translate;

import static dev.holdfast.controlplane.translate.YamlObjects.proxy;
import static dev.holdfast.controlplane.translate.YamlObjects.root;
import static dev.holdfast.controlplane.translate.YamlObjects.routes;
import static dev.holdfast.controlplane.translate.YamlObjects.service;
import static dev.holdfast.controlplane.translate.YamlObjects.to;
import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.InvalidProtocolBufferException;
import dev.holdfast.config.ObjectKey;
import dev.holdfast.controlplane.objects.httpproxy.GlobalRateLimit;
import dev.holdfast.controlplane.snapshot.Resource;
import dev.holdfast.controlplane.snapshot.ResourceType;
import dev.holdfast.controlplane.translate.index.RateLimitService;
import dev.holdfast.controlplane.translate.index.Settings;
import io.envoyproxy.envoy.config.core.v3.TypedExtensionConfig;
import io.envoyproxy.envoy.config.route.v3.FilterConfig;
import io.envoyproxy.envoy.config.route.v3.VirtualHost;
import io.envoyproxy.envoy.extensions.filters.http.ratelimit.v3.RateLimit;
import io.envoyproxy.envoy.extensions.filters.http.ratelimit.v3.RateLimitPerRoute;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Limits that a service applies for all proxies together. */
class GlobalRateLimitTest {
  private static final String FILTER = "ratelimit/default/limits";
  private static final String EXTENSION =
      YamlObjects.object(
          "projectcontour.io/v1alpha1",
          "ExtensionService",
          "limits",
          "spec: {services: [{name: counter, port: 80}], protocol: h2c}");
  private static final String LIMITED =
      "rateLimitPolicy: {global: {descriptors: [{entries: [{genericKey: {value: a}},"
          + " {remoteAddress: {}}]}]}}";

  private static Translation translation(String yaml) {
    return translation(yaml, null);
  }

  private static Translation translation(String yaml, @Nullable GlobalRateLimit defaultLimit) {
    Settings settings =
        Settings.DEFAULT.withRateLimit(
            new RateLimitService(
                new ObjectKey("ExtensionService", "default", "limits"),
                "shop",
                /* failOpen= */ false,
                /* headers= */ true,
                /* resourceExhausted= */ false,
                defaultLimit));
    return Translation.empty(TranslationOptions.defaults().with(settings))
        .with(YamlObjects.objects(yaml));
  }

  private static VirtualHost host(Translation translation) {
    return TranslationText.table(translation, "ingress_http").getVirtualHosts(0);
  }

  @Test
  void theServiceIsAskedWhereThereAreLimits() throws InvalidProtocolBufferException {
    Translation translation =
        translation(
            service("s")
                + service("counter")
                + EXTENSION
                + proxy(
                    "a",
                    "virtualhost: {fqdn: a.com, "
                        + LIMITED
                        + "}, "
                        + routes(
                            "{conditions: [{exact: /free}], services: [{name: s, port: 80}],"
                                + " rateLimitPolicy: {global: {disabled: true}}}",
                            "{conditions: [{prefix: /own}], services: [{name: s, port: 80}], "
                                + LIMITED
                                + "}",
                            to("s"))));
    Resource resource = TranslationText.resource(translation, ResourceType.EXTENSION, FILTER);
    RateLimit filter =
        TranslationText.parse(resource.body(), TypedExtensionConfig.parser())
            .getTypedConfig()
            .unpack(RateLimit.class);
    VirtualHost host = host(translation);

    assertThat(TranslationText.problems(translation)).isEmpty();
    assertThat(filter.getDomain()).isEqualTo("shop");
    assertThat(filter.getFailureModeDeny()).isTrue();
    assertThat(filter.getRateLimitService().getGrpcService().getEnvoyGrpc().getClusterName())
        .isEqualTo("extension/default/limits");
    assertThat(TranslationText.names(translation, ResourceType.CLUSTER))
        .contains("extension/default/limits");
    assertThat(host.getRateLimits(0).getActionsCount()).isEqualTo(2);
    assertThat(host.getRoutes(1).getRoute().getRateLimitsCount()).isEqualTo(1);
    assertThat(host.getRoutes(2).getTypedPerFilterConfigMap()).isEmpty();
    assertThat(
            host.getRoutes(0)
                .getTypedPerFilterConfigOrThrow(FILTER)
                .unpack(FilterConfig.class)
                .getConfig()
                .unpack(RateLimitPerRoute.class)
                .getVhRateLimits())
        .isEqualTo(RateLimitPerRoute.VhRateLimitsOptions.IGNORE);
    assertThat(host.getTypedPerFilterConfigMap()).containsKey(FILTER);
  }

  @Test
  void nothingIsServedWithoutItsLimit() {
    String rest =
        service("s")
            + proxy("a", "virtualhost: {fqdn: a.com, " + LIMITED + "}, " + routes(to("s")))
            + root(
                "b",
                routes(
                    "{conditions: [{prefix: /own}], services: [{name: s, port: 80}], "
                        + LIMITED
                        + "}",
                    to("s")));
    Translation missing = translation(rest);
    Translation off = YamlObjects.translation(rest);

    assertThat(TranslationText.hosts(missing)).containsExactly("b.com");
    assertThat(TranslationText.plain(missing, "b.com"))
        .containsExactly("/own* -> 503", "/* -> default/s/80");
    assertThat(TranslationText.problems(missing))
        .containsExactly(
            "HTTPProxy/default/a: spec.virtualhost.rateLimitPolicy.global:"
                + " ExtensionService/default/limits does not exist",
            "HTTPProxy/default/b: spec.routes[0].rateLimitPolicy.global:"
                + " ExtensionService/default/limits does not exist");
    assertThat(TranslationText.problems(off))
        .contains(
            "HTTPProxy/default/b: spec.routes[0].rateLimitPolicy.global: the server has no rate"
                + " limit service (expected: the option --rate-limit-service)");
  }

  private static final GlobalRateLimit EVERYBODY =
      new GlobalRateLimit(
          /* disabled= */ false,
          List.of(
              new GlobalRateLimit.Descriptor(
                  List.of(new GlobalRateLimit.GenericKey("all", "hosts")))));

  private static List<String> keys(Translation translation, String name) {
    return TranslationText.table(translation, "ingress_http").getVirtualHostsList().stream()
        .filter(host -> host.getName().equals(name))
        .flatMap(host -> host.getRateLimitsList().stream())
        .flatMap(limit -> limit.getActionsList().stream())
        .map(action -> action.getGenericKey().getDescriptorKey())
        .toList();
  }

  @Test
  void theLimitForAllHostsIsForThoseWithoutOne() {
    Translation translation =
        translation(
            service("s")
                + service("counter")
                + EXTENSION
                + root("a", routes(to("s")))
                + proxy("b", "virtualhost: {fqdn: b.com, " + LIMITED + "}, " + routes(to("s")))
                + proxy(
                    "c",
                    "virtualhost: {fqdn: c.com, rateLimitPolicy: {global: {disabled: true}}}, "
                        + routes(to("s"))),
            EVERYBODY);

    assertThat(TranslationText.problems(translation)).isEmpty();
    assertThat(keys(translation, "a.com")).containsExactly("all");
    assertThat(keys(translation, "b.com")).first().isNotEqualTo("all");
    assertThat(keys(translation, "c.com")).isEmpty();
  }

  @Test
  void withoutTheServiceTheLimitForAllHostsIsAnErrorButTakesNoHostDown() {
    Translation translation = translation(service("s") + root("a", routes(to("s"))), EVERYBODY);

    assertThat(TranslationText.problems(translation))
        .containsExactly(
            "HTTPProxy/default/a: spec.virtualhost: not limited as the server says:"
                + " ExtensionService/default/limits does not exist");
    assertThat(TranslationText.plain(translation, "a.com")).containsExactly("/* -> default/s/80");
  }
}
