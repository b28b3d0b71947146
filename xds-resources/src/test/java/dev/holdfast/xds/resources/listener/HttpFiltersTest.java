// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.xds.resources.listener;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.base.Decoded;
import dev.holdfast.xds.resources.filter.FilterConfig;
import dev.holdfast.xds.resources.testing.Outcomes;
import dev.holdfast.xds.resources.testing.Protos;
import org.junit.jupiter.api.Test;

/** gRFC A39, filters of a listener. */
class HttpFiltersTest {
  private static final String AT = Listeners.MANAGER + ".http_filters";
  private static final String ROUTER = "http_filters { name: 'router' " + Listeners.ROUTER + "} ";
  private static final String UNKNOWN = "typed_config {" + Protos.UNKNOWN_EXTENSION + "} ";

  private static final String FAULT =
      "typed_config { [TYPE/envoy.extensions.filters.http.fault.v3.HTTPFault] {} } ";
  private static final FilterConfig NO_FAULT =
      new FilterConfig.Fault(null, null, FilterConfig.Fault.UNLIMITED);

  @Test
  void thereMustBeAtLeastOneFilter() {
    assertThat(Outcomes.problems(filters("")))
        .containsExactly(AT + ": empty (expected: at least the router)");
  }

  @Test
  void unknownFilterIsRejected() {
    assertThat(Outcomes.problems(filters("http_filters { name: 'x' " + UNKNOWN + "} " + ROUTER)))
        .containsExactly(
            AT
                + "[0].typed_config: \"acme.Unknown\" (expected: a filter that clients support, or is_optional)");
  }

  @Test
  void unknownFilterThatIsOptionalIsIgnored() {
    assertThat(
            Listeners.manager(
                    filters(
                        "http_filters { name: 'x' is_optional: true "
                            + UNKNOWN
                            + "} http_filters { name: 'y' is_optional: true } "
                            + ROUTER))
                .httpFilters())
        .containsExactly(new HttpFilter("router", new FilterConfig.Router()));
  }

  @Test
  void whatIsIgnoredIsNoted() {
    assertThat(
            Listeners.manager(
                    filters(
                        "http_filters { name: 'x' is_optional: true "
                            + UNKNOWN
                            + "} http_filters { name: 'y' is_optional: true } "
                            + ROUTER))
                .chain()
                .ignored())
        .containsExactly(new IgnoredFilter("x", "acme.Unknown"), new IgnoredFilter("y", ""));
  }

  @Test
  void typeOfATypedStructIsTheOneItNames() {
    String struct = "typed_config { [TYPE/%s] { type_url: 'TYPE/%s' } }";

    assertThat(
            Outcomes.problems(
                filters(
                    "http_filters { name: 'x' "
                        + struct.formatted("xds.type.v3.TypedStruct", "acme.Inner")
                        + "} "
                        + ROUTER)))
        .containsExactly(
            AT
                + "[0].typed_config: \"acme.Inner\" (expected: a filter that clients support, or is_optional)");
    assertThat(
            Outcomes.problems(
                filters(
                    "http_filters { name: 'x' "
                        + struct.formatted("udpa.type.v1.TypedStruct", HttpFilter.ROUTER)
                        + "} ")))
        .isEmpty();
  }

  @Test
  void filterMustHaveAConfiguration() {
    assertThat(Outcomes.problems(filters("http_filters { name: 'x' } " + ROUTER)))
        .containsExactly(
            AT + "[0].typed_config: not set (expected: the configuration of a filter)");
    assertThat(
            Outcomes.problems(filters("http_filters { name: 'x' config_discovery {} } " + ROUTER)))
        .containsExactly(
            AT + "[0].typed_config: not set (expected: the configuration of a filter)");
  }

  @Test
  void namesAreUnique() {
    assertThat(
            Outcomes.problems(
                filters(
                    "http_filters { name: 'router' is_optional: true " + UNKNOWN + "} " + ROUTER)))
        .containsExactly(AT + "[1].name: \"router\" (expected: no duplicate)");
  }

  @Test
  void routerMustBeLast() {
    assertThat(
            Outcomes.problems(
                filters(ROUTER + "http_filters { name: 'last' " + Listeners.ROUTER + "}")))
        .containsExactly(AT + "[0]: the router is terminal (expected: as the last filter only)");
  }

  @Test
  void lastMustBeTheRouter() {
    assertThat(
            Outcomes.problems(
                filters(ROUTER + "http_filters { name: 'x' is_optional: true " + UNKNOWN + "}")))
        .containsExactly(
            AT + "[0]: the router is terminal (expected: as the last filter only)",
            AT + "[1]: ignored, so that no terminal filter is left (expected: the router last)");
  }

  @Test
  void filterThatIsNotTerminalMustNotBeLast() {
    assertThat(Outcomes.problems(filters("http_filters { name: 'f' " + FAULT + "}")))
        .containsExactly(
            AT
                + "[0]: \"envoy.extensions.filters.http.fault.v3.HTTPFault\" is not terminal"
                + " (expected: the router as the last filter)");
  }

  @Test
  void filtersKeepTheirOrderAndOneKindMayComeTwice() {
    assertThat(
            Listeners.manager(
                    filters(
                        "http_filters { name: 'b' "
                            + FAULT
                            + "} http_filters { name: 'a' disabled: true "
                            + FAULT
                            + "} "
                            + ROUTER))
                .httpFilters())
        .containsExactly(
            new HttpFilter("b", NO_FAULT),
            new HttpFilter("a", NO_FAULT, /* disabled= */ true),
            new HttpFilter("router", new FilterConfig.Router()));
  }

  @Test
  void routerCannotBeDisabled() {
    assertThat(
            Outcomes.problems(
                filters("http_filters { name: 'r' disabled: true " + Listeners.ROUTER + "}")))
        .containsExactly(AT + "[0].disabled: true for the router (expected: not set or false)");
  }

  @Test
  void supportedFilterThatIsOptionalIsNotIgnored() {
    assertThat(
            Listeners.manager(
                    filters("http_filters { name: 'f' is_optional: true " + FAULT + "} " + ROUTER))
                .httpFilters())
        .hasSize(2);
    assertThat(
            Outcomes.problems(
                filters(
                    "http_filters { name: 'f' is_optional: true typed_config {"
                        + " [TYPE/envoy.extensions.filters.http.fault.v3.HTTPFault] { abort {} } }"
                        + " } "
                        + ROUTER)))
        .containsExactly(
            AT
                + "[0].typed_config.abort: no kind of abort (expected: grpc_status, http_status or"
                + " header_abort)");
  }

  @Test
  void filterOfServersIsNotOneOfClients() {
    String rbac = "typed_config { [TYPE/envoy.extensions.filters.http.rbac.v3.RBAC] {} } ";
    assertThat(Outcomes.problems(filters("http_filters { name: 'x' " + rbac + "} " + ROUTER)))
        .containsExactly(
            AT
                + "[0].typed_config: \"envoy.extensions.filters.http.rbac.v3.RBAC\" (expected: a"
                + " filter that clients support, or is_optional)");
    assertThat(
            Listeners.manager(
                    filters("http_filters { name: 'x' is_optional: true " + rbac + "} " + ROUTER))
                .chain()
                .ignored())
        .containsExactly(new IgnoredFilter("x", "envoy.extensions.filters.http.rbac.v3.RBAC"));
  }

  @Test
  void filterOfClientsIsNotOneOfServers() {
    String chain =
        "filter_chains { filters { name: 'hcm' typed_config {"
            + Listeners.manager(Listeners.RDS + "http_filters { name: 'f' " + FAULT + "} " + ROUTER)
            + "} } }";
    assertThat(Outcomes.problems(Listeners.decode(Listeners.socket(chain))))
        .containsExactly(
            "filter_chains[0].filters[0].typed_config.http_filters[0].typed_config:"
                + " \"envoy.extensions.filters.http.fault.v3.HTTPFault\" (expected: a filter that"
                + " servers support, or is_optional)");
  }

  @Test
  void filterInATypedStructIsRefused() {
    assertThat(
            Outcomes.problems(
                filters(
                    "http_filters { name: 'f' typed_config { [TYPE/xds.type.v3.TypedStruct] {"
                        + " type_url: 'TYPE/envoy.extensions.filters.http.fault.v3.HTTPFault' } } }"
                        + ROUTER)))
        .containsExactly(
            AT
                + "[0].typed_config: a TypedStruct for"
                + " \"envoy.extensions.filters.http.fault.v3.HTTPFault\" (expected: the message)");
  }

  @Test
  void configurationOfTheRouterIsIgnored() {
    assertThat(
            Outcomes.problems(
                filters(
                    "http_filters { name: 'r' typed_config { type_url: 'TYPE/"
                        + HttpFilter.ROUTER
                        + "' value: '\\x0a' } }")))
        .isEmpty();
  }

  private static Decoded<Listener> filters(String filters) {
    return Listeners.api(Listeners.RDS + filters);
  }
}
