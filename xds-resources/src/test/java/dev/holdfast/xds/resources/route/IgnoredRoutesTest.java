// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.xds.resources.route;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.base.Decoded;
import dev.holdfast.xds.resources.testing.Outcomes;
import dev.holdfast.xds.resources.testing.Protos;
import org.junit.jupiter.api.Test;

/** gRFC A28: what a client does not know makes it ignore the route, not reject the resource. */
class IgnoredRoutesTest {
  private static final String USABLE = "name: 'usable' match { prefix: '' } route { cluster: 'c' }";

  @Test
  void routeWithQueryParametersIsIgnoredWhateverElseItSays() {
    assertOnlyUsableIsLeft(
        Routes.withRoutes(
            "match { safe_regex { regex: '(' } query_parameters { name: 'q' } } redirect {}",
            USABLE));
  }

  @Test
  void routeByClusterHeaderIsIgnored() {
    assertOnlyUsableIsLeft(
        Routes.withRoutes("match { prefix: '' } route { cluster_header: 'x' }", USABLE));
  }

  @Test
  void routeWithoutAClusterIsIgnored() {
    assertOnlyUsableIsLeft(Routes.withRoutes("match { prefix: '' } route {}", USABLE));
  }

  @Test
  void clusterSpecifierNewerThanThisClientIsIgnored() {
    assertOnlyUsableIsLeft(
        Routes.withRoutes(
            "match { prefix: '' } route { inline_cluster_specifier_plugin {} }", USABLE));
  }

  @Test
  void theRestOfAnIgnoredRouteIsCheckedNevertheless() {
    assertThat(
            Outcomes.problems(
                Routes.withRoutes(
                    "match {} route { cluster_header: 'x' retry_policy { num_retries {} } }")))
        .containsExactly(
            Routes.ROUTE + "match: no path (expected: prefix, path or safe_regex)",
            Routes.ROUTE + "route.retry_policy.num_retries: 0 (expected: at least 1)");
  }

  @Test
  void routeByAnOptionalPluginThatIsNotSupportedIsIgnored() {
    assertOnlyUsableIsLeft(
        Routes.decode(
            Routes.text("match { prefix: '' } route { cluster_specifier_plugin: 'p' }", USABLE)
                + plugin("p", true)));
  }

  @Test
  void pluginThatIsNotOptionalIsRejected() {
    assertThat(Outcomes.problems(Routes.decode("name: 'r' " + plugin("p", false))))
        .containsExactly(
            "cluster_specifier_plugins[0].extension.typed_config: \"acme.Unknown\" (expected: no"
                + " plugin, or one with is_optional)");
  }

  @Test
  void pluginMustBeDefinedAndOnlyOnce() {
    assertThat(
            Outcomes.problems(
                Routes.decode(
                    Routes.text("match { prefix: '' } route { cluster_specifier_plugin: 'q' }")
                        + plugin("p", true)
                        + plugin("p", true))))
        .containsExactly(
            "cluster_specifier_plugins[1].extension.name: \"p\" (expected: no duplicate)",
            Routes.ROUTE
                + "route.cluster_specifier_plugin: \"q\" (expected: a name out of"
                + " cluster_specifier_plugins)");
  }

  private static String plugin(String name, boolean optional) {
    return " cluster_specifier_plugins { extension { name: '"
        + name
        + "' typed_config {"
        + Protos.UNKNOWN_EXTENSION
        + "} } is_optional: "
        + optional
        + " }";
  }

  private static void assertOnlyUsableIsLeft(Decoded<RouteConfiguration> decoded) {
    assertThat(Routes.routes(decoded)).extracting(Route::name).containsExactly("usable");
  }
}
