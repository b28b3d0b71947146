// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.xds.resources.listener;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.base.Decoded;
import dev.holdfast.xds.resources.testing.Outcomes;
import dev.holdfast.xds.resources.testing.Protos;
import org.junit.jupiter.api.Test;

/** gRFC A39, filters of a listener. */
class HttpFiltersTest {
  private static final String AT = Listeners.MANAGER + ".http_filters";
  private static final String ROUTER = "http_filters { name: 'router' " + Listeners.ROUTER + "} ";
  private static final String UNKNOWN = "typed_config {" + Protos.UNKNOWN_EXTENSION + "} ";

  @Test
  void thereMustBeAtLeastOneFilter() {
    assertThat(Outcomes.problems(filters("")))
        .containsExactly(AT + ": empty (expected: at least the router)");
  }

  @Test
  void unknownFilterIsRejected() {
    assertThat(Outcomes.problems(filters("http_filters { name: 'x' " + UNKNOWN + "} " + ROUTER)))
        .containsExactly(
            AT + "[0].typed_config: \"acme.Unknown\" (expected: the router, or is_optional)");
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
        .containsExactly(new HttpFilter("router", HttpFilter.ROUTER));
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
            AT + "[0].typed_config: \"acme.Inner\" (expected: the router, or is_optional)");
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
