// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.xds.resources.listener;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.xds.resources.filter.FilterConfig;
import dev.holdfast.xds.resources.route.RouteConfiguration;
import dev.holdfast.xds.resources.testing.Outcomes;
import dev.holdfast.xds.resources.testing.Protos;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

/** gRFC A27, A31, A41. */
class ApiListenerTest {

  @Test
  void refersToARouteConfigurationByName() {
    assertThat(Outcomes.value(Listeners.apiWith("")))
        .isEqualTo(
            new Listener.Api(
                "l",
                new HttpConnectionManager(
                    new RouteSource.Rds("r"),
                    List.of(new HttpFilter("router", new FilterConfig.Router())),
                    Duration.ZERO)));
  }

  @Test
  void orHasOneInlineWhichNeedsNoName() {
    assertThat(
            Listeners.manager(
                    Listeners.api(
                        "route_config {} http_filters { name: 'router' " + Listeners.ROUTER + "}"))
                .routes())
        .isEqualTo(new RouteSource.Inline(new RouteConfiguration("", List.of())));
  }

  @Test
  void problemsOfInlineRoutesHaveTheirFullPath() {
    assertThat(
            Outcomes.problems(
                Listeners.api(
                    """
                    route_config { virtual_hosts { domains: '*' routes {
                      match { prefix: '' } route { cluster: 'c' retry_policy { num_retries {} } } } } }
                    http_filters { name: 'router' %s}
                    """
                        .formatted(Listeners.ROUTER))))
        .containsExactly(
            Listeners.MANAGER
                + ".route_config.virtual_hosts[0].routes[0].route.retry_policy.num_retries: 0"
                + " (expected: at least 1)");
  }

  @Test
  void routesMustComeOverAdsOrSelfAndHaveAName() {
    String router = " http_filters { name: 'router' " + Listeners.ROUTER + "}";

    assertThat(Outcomes.problems(Listeners.api("rds {}" + router)))
        .containsExactly(
            Listeners.MANAGER + ".rds.config_source: neither ads nor self (expected: one of them)",
            Listeners.MANAGER + ".rds.route_config_name: not set (expected: a RouteConfiguration)");
    assertThat(
            Listeners.manager(
                    Listeners.api(
                        "rds { route_config_name: 'x' config_source { self {} } }" + router))
                .routes())
        .isEqualTo(new RouteSource.Rds("x"));
    assertThat(Outcomes.problems(Listeners.api("scoped_routes {}" + router)))
        .containsExactly(Listeners.MANAGER + ".scoped_routes: set (expected: rds or route_config)");
    assertThat(Outcomes.problems(Listeners.api(router)))
        .containsExactly(Listeners.MANAGER + ": no routes (expected: rds or route_config)");
  }

  @Test
  void limitOnTheDurationOfCallsIsRead() {
    assertThat(
            Listeners.manager(
                    Listeners.apiWith(
                        "common_http_protocol_options { max_stream_duration { seconds: 5 } }"))
                .maxStreamDuration())
        .isEqualTo(Duration.ofSeconds(5));
    assertThat(
            Outcomes.problems(
                Listeners.apiWith(
                    "common_http_protocol_options { max_stream_duration { seconds: -5 } }")))
        .containsExactly(
            Listeners.MANAGER
                + ".common_http_protocol_options.max_stream_duration: -5 s (expected: not"
                + " negative)");
  }

  @Test
  void fieldsThatChangeWhoThePeerIsTakenForAreRejected() {
    assertThat(
            Outcomes.problems(
                Listeners.apiWith(
                    "xff_num_trusted_hops: 4294967295 original_ip_detection_extensions { name: 'x'"
                        + " }")))
        .containsExactly(
            Listeners.MANAGER + ".xff_num_trusted_hops: 4294967295 (expected: not set or 0)",
            Listeners.MANAGER + ".original_ip_detection_extensions: set (expected: none)");
  }

  @Test
  void otherKindsOfApiListenerAreRejected() {
    assertThat(
            Outcomes.problems(
                Listeners.decode(
                    "name: 'l' api_listener { api_listener {" + Protos.UNKNOWN_EXTENSION + "} }")))
        .containsExactly(
            Listeners.MANAGER
                + ": \"acme.Unknown\" (expected:"
                + " envoy.extensions.filters.network.http_connection_manager.v3.HttpConnectionManager)");
    assertThat(Outcomes.problems(Listeners.decode("name: 'l' api_listener {}")))
        .containsExactly(
            Listeners.MANAGER
                + ": \"\" (expected:"
                + " envoy.extensions.filters.network.http_connection_manager.v3.HttpConnectionManager)");
  }

  @Test
  void addressBesidesAnApiListenerIsIgnored() {
    assertThat(
            Outcomes.value(
                Listeners.decode(
                    "name: 'l' address {} listener_filters {} api_listener { api_listener {"
                        + Listeners.manager(
                            Listeners.RDS
                                + "http_filters { name: 'router' "
                                + Listeners.ROUTER
                                + "}")
                        + "} }")))
        .isEqualTo(Outcomes.value(Listeners.apiWith("")));
  }

  @Test
  void eachKindHasItsBranch() {
    assertThat(Outcomes.value(Listeners.apiWith("")).<String>fold(api -> "api", socket -> "socket"))
        .isEqualTo("api");
    assertThat(
            Listeners.manager(Listeners.apiWith(""))
                .routes()
                .<String>fold(RouteSource.Rds::routeConfigName, inline -> "inline"))
        .isEqualTo("r");
  }
}
