// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.xds.resources.route;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.base.Decoded;
import dev.holdfast.xds.resources.filter.FilterConfig;
import dev.holdfast.xds.resources.filter.FilterOverride;
import dev.holdfast.xds.resources.testing.Outcomes;
import dev.holdfast.xds.resources.testing.Protos;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** gRFC A39, overrides. */
class FilterOverridesTest {
  private static final String UNKNOWN = Protos.UNKNOWN_EXTENSION;
  private static final String AT = "virtual_hosts[0].typed_per_filter_config[\"f\"]";

  @Test
  void unknownTypeIsRejected() {
    assertThat(Outcomes.problems(override(UNKNOWN)))
        .containsExactly(AT + ": \"acme.Unknown\" (expected: a supported filter, or is_optional)");
  }

  @Test
  void unknownTypeIsLookedForInsideTheWrapper() {
    assertThat(Outcomes.problems(override(wrapper("config {" + UNKNOWN + "}"))))
        .containsExactly(
            AT + ".config: \"acme.Unknown\" (expected: a supported filter, or is_optional)");
  }

  @Test
  void unknownTypeIsLookedForInsideATypedStruct() {
    assertThat(
            Outcomes.problems(
                override("[TYPE/xds.type.v3.TypedStruct] { type_url: 'TYPE/acme.Inner' }")))
        .containsExactly(AT + ": \"acme.Inner\" (expected: a supported filter, or is_optional)");
    assertThat(
            Outcomes.problems(
                override("[TYPE/udpa.type.v1.TypedStruct] { type_url: 'acme.Inner' }")))
        .containsExactly(AT + ": \"acme.Inner\" (expected: a supported filter, or is_optional)");
  }

  @Test
  void optionalUnknownTypeIsIgnored() {
    assertThat(Outcomes.problems(override(wrapper("is_optional: true config {" + UNKNOWN + "}"))))
        .isEmpty();
  }

  @Test
  void disabledFilterNeedsNoConfiguration() {
    assertThat(Outcomes.problems(override(wrapper("disabled: true")))).isEmpty();
  }

  @Test
  void overridesAreKeptWhereTheyStand() {
    String fault = "[TYPE/envoy.extensions.filters.http.fault.v3.HTTPFault] {}";
    String entry = "typed_per_filter_config { key: '%s' value {%s} } ";
    VirtualHost host =
        Outcomes.value(
                Routes.decode(
                    "name: 'r' virtual_hosts { domains: '*' "
                        + entry.formatted("host", fault)
                        + "routes { match { prefix: '' } "
                        + entry.formatted("route", wrapper("disabled: true"))
                        + "route { weighted_clusters { clusters { name: 'c' weight { value: 1 } "
                        + entry.formatted("cluster", wrapper("config {" + fault + "}"))
                        + entry.formatted(
                            "ignored", wrapper("is_optional: true config {" + UNKNOWN + "}"))
                        + "} } } } }"))
            .virtualHosts()
            .get(0);
    FilterOverride none =
        new FilterOverride(new FilterConfig.Fault(null, null, FilterConfig.Fault.UNLIMITED));

    assertThat(host.filterOverrides()).isEqualTo(Map.of("host", none));
    assertThat(host.routes().get(0).filterOverrides())
        .isEqualTo(Map.of("route", FilterOverride.DISABLED));
    assertThat(((RouteAction.Forward) host.routes().get(0).action()).clusters())
        .containsExactly(new WeightedCluster("c", 1, Map.of("cluster", none)));
  }

  @Test
  void overrideForAFilterOfServersIsAccepted() {
    assertThat(
            Outcomes.problems(
                override("[TYPE/envoy.extensions.filters.http.rbac.v3.RBACPerRoute] {}")))
        .isEmpty();
    assertThat(Outcomes.problems(override("[TYPE/envoy.extensions.filters.http.rbac.v3.RBAC] {}")))
        .containsExactly(
            AT
                + ": \"envoy.extensions.filters.http.rbac.v3.RBAC\" (expected:"
                + " envoy.extensions.filters.http.rbac.v3.RBACPerRoute in an override)");
  }

  @Test
  void wrapperWithoutConfigurationIsRejected() {
    assertThat(Outcomes.problems(override(wrapper(""))))
        .containsExactly(AT + ".config: \"\" (expected: a supported filter, or is_optional)");
  }

  @Test
  void routerCannotBeOverriddenNotEvenOptionally() {
    String router = "[TYPE/envoy.extensions.filters.http.router.v3.Router] {}";

    assertThat(Outcomes.problems(override(router)))
        .containsExactly(
            AT + ": an override for the router (expected: none, it cannot be overridden)");
    assertThat(Outcomes.problems(override(wrapper("is_optional: true config {" + router + "}"))))
        .containsExactly(
            AT + ".config: an override for the router (expected: none, it cannot be overridden)");
  }

  @Test
  void undecodableWrappersAndStructsAreReported() {
    assertThat(
            Outcomes.problems(
                override("type_url: 'TYPE/envoy.config.route.v3.FilterConfig' value: '\\x0a'")))
        .singleElement()
        .asString()
        .startsWith(AT + ": not a message of the type that it claims to be: ");
    assertThat(
            Outcomes.problems(override("type_url: 'TYPE/xds.type.v3.TypedStruct' value: '\\x0a'")))
        .singleElement()
        .asString()
        .startsWith(AT + ": not a message of the type that it claims to be: ");
  }

  @Test
  void problemsOfAMapAreInTheOrderOfItsKeys() {
    String entry = "typed_per_filter_config { key: '%s' value {" + UNKNOWN + "} }";

    assertThat(
            Outcomes.problems(
                Routes.withRoutes(
                    "match { prefix: '' } route { cluster: 'c' }"
                        + entry.formatted("z")
                        + entry.formatted("a"))))
        .extracting(text -> text.substring(0, text.indexOf(": ")))
        .containsExactly(
            "virtual_hosts[0].routes[0].typed_per_filter_config[\"a\"]",
            "virtual_hosts[0].routes[0].typed_per_filter_config[\"z\"]");
  }

  private static String wrapper(String content) {
    return "[TYPE/envoy.config.route.v3.FilterConfig] {" + content + "}";
  }

  private static Decoded<RouteConfiguration> override(String value) {
    return Routes.decode(
        "name: 'r' virtual_hosts { domains: '*' typed_per_filter_config { key: 'f' value {"
            + value
            + "} } }");
  }
}
