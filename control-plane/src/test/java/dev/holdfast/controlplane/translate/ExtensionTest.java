// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.controlplane.translate;

import static dev.holdfast.controlplane.translate.YamlObjects.root;
import static dev.holdfast.controlplane.translate.YamlObjects.routes;
import static dev.holdfast.controlplane.translate.YamlObjects.service;
import static dev.holdfast.controlplane.translate.YamlObjects.to;
import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.Any;
import com.google.protobuf.InvalidProtocolBufferException;
import dev.holdfast.config.ObjectKey;
import dev.holdfast.controlplane.snapshot.Resource;
import dev.holdfast.controlplane.snapshot.ResourceType;
import io.envoyproxy.envoy.config.core.v3.TypedExtensionConfig;
import io.envoyproxy.envoy.config.route.v3.FilterConfig;
import io.envoyproxy.envoy.config.route.v3.Route;
import io.envoyproxy.envoy.config.route.v3.VirtualHost;
import io.envoyproxy.envoy.extensions.filters.network.http_connection_manager.v3.HttpConnectionManager;
import java.util.List;
import org.junit.jupiter.api.Test;

/**
 * Policies: filters are discovered by name, and disabled except where their policy enables them.
 */
class ExtensionTest {
  /** The filters that every listener has. */
  private static final int OWN_FILTERS = 7;

  private static final String LUA =
      "'@type': type.googleapis.com/envoy.extensions.filters.http.lua.v3.Lua, default_source_code:"
          + " {inline_string: 'function envoy_on_request(h) end'}";
  private static final String LUA_PER_ROUTE =
      "'@type': type.googleapis.com/envoy.extensions.filters.http.lua.v3.LuaPerRoute, disabled:"
          + " true";
  private static final String NAME = "default/x/lua/lua.v3.Lua";
  private static final ObjectKey X = new ObjectKey("ExtensionPolicy", "default", "x");

  private static String policy(String name, String target, String rest) {
    return YamlObjects.object(
        "holdfast.dev/v1alpha1",
        "ExtensionPolicy",
        name,
        "spec: {targetRef: {name: " + target + "}, " + rest + "}");
  }

  private static String filters() {
    return "httpFilters: [{name: lua, typedConfig: {" + LUA + "}}]";
  }

  private static String perRoute(String name) {
    return "perRoute: [{name: " + name + ", typedConfig: {" + LUA_PER_ROUTE + "}}]";
  }

  private static VirtualHost host(Translation translation, int index) {
    return TranslationText.table(translation, "ingress_http").getVirtualHosts(index);
  }

  private static List<String> filterNames(Translation translation) {
    Any config =
        TranslationText.listener(translation, "ingress_http")
            .getFilterChains(0)
            .getFilters(0)
            .getTypedConfig();
    try {
      return config.unpack(HttpConnectionManager.class).getHttpFiltersList().stream()
          .map(filter -> (filter.getDisabled() ? "-" : "") + filter.getName())
          .toList();
    } catch (InvalidProtocolBufferException e) {
      throw new AssertionError(e);
    }
  }

  @Test
  void filterIsDiscoveredByNameAndEnabledForItsTarget() throws InvalidProtocolBufferException {
    Translation translation =
        YamlObjects.translation(
            service("s")
                + root("a", routes(to("s")))
                + root("b", routes(to("s")))
                + policy("x", "b", filters()));

    assertThat(filterNames(translation))
        .containsExactly(
            "envoy.filters.http.compressor",
            "envoy.filters.http.grpc_web",
            "envoy.filters.http.cors",
            "envoy.filters.http.local_ratelimit",
            "holdfast.cookies",
            "envoy.filters.http.rbac",
            "-" + NAME,
            "envoy.filters.http.router");
    Resource filter = TranslationText.resource(translation, ResourceType.EXTENSION, NAME);
    TypedExtensionConfig config =
        TranslationText.parse(filter.body(), TypedExtensionConfig.parser());
    assertThat(config.getName()).isEqualTo(NAME);
    assertThat(config.getTypedConfig().getTypeUrl()).endsWith(".Lua");
    assertThat(host(translation, 0).getTypedPerFilterConfigMap()).isEmpty();
    FilterConfig enabled =
        host(translation, 1).getTypedPerFilterConfigOrThrow(NAME).unpack(FilterConfig.class);
    assertThat(enabled.getDisabled()).isFalse();
    assertThat(TranslationText.problems(translation)).isEmpty();
    assertThat(TranslationText.warnings(translation)).isEmpty();
  }

  @Test
  void policyForOneRouteIsEnabledForThatRoute() {
    Translation translation =
        YamlObjects.translation(
            service("s")
                + root("a", routes(YamlObjects.at("/x", "s"), to("s")))
                + policy("x", "a, route: 1", filters()));

    List<Route> made = host(translation, 0).getRoutesList();
    assertThat(made.get(0).getTypedPerFilterConfigMap()).isEmpty();
    assertThat(made.get(1).getTypedPerFilterConfigMap()).containsKey(NAME);
  }

  @Test
  void policyForAnIncludedProxyIsEnabledForItsRoutesOnly() {
    Translation translation =
        YamlObjects.translation(
            service("s")
                + root("a", "includes: [{name: c, conditions: [{prefix: /c}]}], " + routes(to("s")))
                + YamlObjects.proxy("c", routes(to("s")))
                + policy("x", "c", filters()));

    List<Route> made = host(translation, 0).getRoutesList();
    assertThat(made.get(0).getTypedPerFilterConfigMap()).containsKey(NAME);
    assertThat(made.get(1).getTypedPerFilterConfigMap()).isEmpty();
  }

  @Test
  void perRouteConfigOfOwnFilterEnablesItWithThatConfig() throws InvalidProtocolBufferException {
    Translation translation =
        YamlObjects.translation(
            service("s")
                + root("a", routes(to("s")))
                + policy("x", "a", filters() + ", " + perRoute("lua")));

    FilterConfig config =
        host(translation, 0).getTypedPerFilterConfigOrThrow(NAME).unpack(FilterConfig.class);
    assertThat(config.getConfig().getTypeUrl()).endsWith(".LuaPerRoute");
  }

  @Test
  void policyDoesNotChangeThePartOfTheRouteOwner() {
    Translation without = YamlObjects.translation(service("s") + root("a", routes(to("s"))));
    Translation with = without.with(YamlObjects.objects(policy("x", "a", filters())));

    Resource before = TranslationText.resource(without, ResourceType.ROUTES, "ingress_http");
    Resource after = TranslationText.resource(with, ResourceType.ROUTES, "ingress_http");
    assertThat(after.version()).isNotEqualTo(before.version());
    ObjectKey a = YamlObjects.proxyKey("a");
    assertThat(after.contributions().get(a)).isEqualTo(before.contributions().get(a));
    assertThat(after.contributions().get(X)).isNotNull();
    assertThat(TranslationText.places(after))
        .contains("virtual_hosts[0] <- ExtensionPolicy/default/x@1 spec.httpFilters[0]");
  }

  @Test
  void olderOfTwoPoliciesForOneFilterWins() {
    Translation translation =
        YamlObjects.translation(
            service("s")
                + root("a", routes(to("s")))
                + policy("y", "a", perRoute("envoy.filters.http.cors"))
                + policy("x", "a", perRoute("envoy.filters.http.cors")));

    assertThat(TranslationText.problems(translation))
        .containsExactly(
            "ExtensionPolicy/default/y: spec.perRoute[0]: envoy.filters.http.cors is configured"
                + " differently by ExtensionPolicy/default/x, which is older (expected: one"
                + " policy per filter and target)");
  }

  @Test
  void missingTargetIsAnError() {
    Translation translation =
        YamlObjects.translation(
            service("s")
                + root("a", routes(to("s")))
                + policy("x", "none", filters())
                + policy("y", "a, route: 1", filters()));

    assertThat(TranslationText.problems(translation))
        .containsExactly(
            "ExtensionPolicy/default/x: spec.targetRef.name: HTTPProxy/default/none does not exist",
            "ExtensionPolicy/default/y: spec.targetRef.route: 1 (expected: less than 1, the routes"
                + " of HTTPProxy/default/a)");
    assertThat(TranslationText.names(translation, ResourceType.EXTENSION)).isEmpty();
    assertThat(filterNames(translation)).hasSize(OWN_FILTERS);
  }

  @Test
  void perRouteConfigImpliesTheFilter() throws InvalidProtocolBufferException {
    Translation translation =
        YamlObjects.translation(
            service("s")
                + root("a", routes(to("s")))
                + policy("x", "a", perRoute("envoy.filters.http.lua")));

    String name = "default/x/envoy.filters.http.lua/lua.v3.Lua";
    assertThat(filterNames(translation)).contains("-" + name);
    TypedExtensionConfig filter =
        TranslationText.parse(
            TranslationText.resource(translation, ResourceType.EXTENSION, name).body(),
            TypedExtensionConfig.parser());
    assertThat(filter.getTypedConfig().getTypeUrl()).endsWith(".Lua");
    FilterConfig config =
        host(translation, 0).getTypedPerFilterConfigOrThrow(name).unpack(FilterConfig.class);
    assertThat(config.getConfig().getTypeUrl()).endsWith(".LuaPerRoute");
    assertThat(TranslationText.warnings(translation)).isEmpty();
  }

  @Test
  void perRouteConfigWithoutAFilterIsAWarning() {
    String buffer =
        "perRoute: [{name: envoy.filters.http.buffer, typedConfig: {'@type':"
            + " type.googleapis.com/envoy.extensions.filters.http.buffer.v3.BufferPerRoute,"
            + " disabled: true}}]";
    Translation translation =
        YamlObjects.translation(
            service("s") + root("a", routes(to("s"))) + policy("x", "a", buffer));

    assertThat(TranslationText.warnings(translation))
        .containsExactly(
            "ExtensionPolicy/default/x: spec.perRoute[0].name: envoy.filters.http.buffer, but"
                + " there is no such filter, so this has no effect (expected: one of"
                + " spec.httpFilters, or of cors, local_ratelimit and rbac)");
  }

  @Test
  void filterOfAnotherTypeIsAnotherFilter() {
    String rest = service("s") + root("a", routes(to("s")));
    String buffer =
        "httpFilters: [{name: lua, typedConfig: {'@type':"
            + " type.googleapis.com/envoy.extensions.filters.http.buffer.v3.Buffer,"
            + " max_request_bytes: 1}}]";
    Translation after =
        YamlObjects.translation(rest + policy("x", "a", filters()))
            .with(YamlObjects.objects(policy("x", "a", buffer)));

    String name = "default/x/lua/buffer.v3.Buffer";
    assertThat(TranslationText.names(after, ResourceType.EXTENSION)).containsExactly(name);
    assertThat(filterNames(after)).contains("-" + name).doesNotContain("-" + NAME);
    // A connection that is open since before the edit has the old filter, which stays enabled.
    assertThat(host(after, 0).getTypedPerFilterConfigMap()).containsKeys(name, NAME);
    assertThat(TranslationText.everything(after))
        .isEqualTo(
            TranslationText.everything(YamlObjects.translation(rest + policy("x", "a", buffer))));
  }

  @Test
  void removedFilterLeavesTheListener() {
    String rest = service("s") + root("a", routes(to("s")));
    Translation after =
        YamlObjects.translation(rest + policy("x", "a", filters())).with(YamlObjects.without(X));

    assertThat(filterNames(after)).hasSize(OWN_FILTERS);
    assertThat(TranslationText.everything(after))
        .isEqualTo(TranslationText.everything(YamlObjects.translation(rest)));
  }
}
