// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.xds.resources.listener;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.base.Decoded;
import dev.holdfast.base.Problem;
import dev.holdfast.xds.resources.DecodeOptions;
import dev.holdfast.xds.resources.testing.Outcomes;
import dev.holdfast.xds.resources.testing.Protos;
import dev.holdfast.xds.resources.tls.CertificateProvider;
import dev.holdfast.xds.resources.tls.DownstreamTls;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** gRFC A36. */
class SocketListenerTest {

  @Test
  void hasAnAddressAndFilterChains() {
    Listener.Socket listener =
        socket(
            "filter_chains { name: 'a' "
                + Listeners.filters()
                + "} default_filter_chain { name: 'd' "
                + Listeners.filters()
                + "}");

    assertThat(listener.name()).isEqualTo("l");
    assertThat(listener.host()).isEqualTo("0.0.0.0");
    assertThat(listener.port()).isEqualTo(80);
    assertThat(listener.filterChains()).extracting(FilterChain::name).containsExactly("a");
    assertThat(listener.filterChains().get(0).tls()).isNull();
    assertThat(listener.filterChains().get(0).manager().routes())
        .isEqualTo(new RouteSource.Rds("r"));
    assertThat(listener.defaultFilterChain()).extracting(FilterChain::name).isEqualTo("d");
  }

  @Test
  void withoutADefaultChainThereIsNone() {
    assertThat(socket("").defaultFilterChain()).isNull();
  }

  @Test
  void addressMustBeTcpAndWhole() {
    assertThat(
            Outcomes.problems(
                Listeners.decode("name: 'l' address { socket_address { protocol: UDP } }")))
        .containsExactly(
            "address.socket_address.protocol: UDP (expected: TCP)",
            "address.socket_address.address: not set (expected: an IP address)",
            "address.socket_address.port_value: not set (expected: a port number)");
    assertThat(Outcomes.problems(Listeners.decode("name: 'l' address { pipe { path: 'p' } }")))
        .containsExactly("address.socket_address: not set (expected: where to listen)");
  }

  @Test
  void neitherKindOfListenerIsRejected() {
    assertThat(Outcomes.problems(Listeners.decode("name: 'l'")))
        .containsExactly("neither api_listener nor address (expected: one of them)");
  }

  @Test
  void listenerFiltersAndOriginalDestinationAreRejected() {
    assertThat(
            Outcomes.problems(
                Listeners.decode(
                    Listeners.socket(
                        "listener_filters { name: 'f' } use_original_dst { value: true }"))))
        .containsExactly(
            "listener_filters: set (expected: none)",
            "use_original_dst: true (expected: not set or false)");
    assertThat(Outcomes.problems(Listeners.decode(Listeners.socket("use_original_dst {}"))))
        .isEmpty();
  }

  @Test
  void chainMustEndInItsOnlyManager() {
    String unknown = "filters { name: 'x' typed_config {" + Protos.UNKNOWN_EXTENSION + "} } ";

    assertThat(
            Outcomes.problems(
                Listeners.decode(
                    Listeners.socket(
                        "filter_chains {} default_filter_chain {"
                            + unknown
                            + Listeners.filters()
                            + Listeners.filters()
                            + "}"))))
        .containsExactly(
            "filter_chains[0].filters: empty (expected: an HttpConnectionManager)",
            "default_filter_chain.filters[0].typed_config: \"acme.Unknown\" (expected:"
                + " envoy.extensions.filters.network.http_connection_manager.v3.HttpConnectionManager)",
            "default_filter_chain.filters[1]: an HttpConnectionManager (expected: as the last"
                + " filter only)",
            "default_filter_chain.filters[2].name: \"hcm\" (expected: no duplicate)");
  }

  @Test
  void tlsOfAChainIsRead() {
    String text =
        Listeners.socket(
            "filter_chains {"
                + Listeners.filters()
                + "transport_socket { name: 'envoy.transport_sockets.tls' typed_config {"
                + " [TYPE/envoy.extensions.transport_sockets.tls.v3.DownstreamTlsContext] {"
                + " common_tls_context { tls_certificate_provider_instance { instance_name: 'p' } }"
                + " } } } }");
    DecodeOptions options = DecodeOptions.defaults().withCertificateProviders(Set.of("p"));

    Listener.Socket listener =
        (Listener.Socket) Outcomes.value(ListenerDecoder.decode(Protos.listener(text), options));

    assertThat(listener.filterChains().get(0).tls())
        .isEqualTo(new DownstreamTls(new CertificateProvider("p", ""), null, false));
    assertThat(listener.<String>fold(api -> "api", socket -> "socket")).isEqualTo("socket");
  }

  @Test
  void allProblemsAreListedInStableOrder() {
    Decoded<Listener> decoded =
        Listeners.decode(
            """
            address { socket_address {} }
            listener_filters { name: 'f' }
            filter_chains {
              filter_chain_match { prefix_ranges { address_prefix: 'x' } source_type: 9 }
              filters { name: 'a' typed_config { %s } }
              transport_socket { name: 'raw' }
            }
            default_filter_chain { filter_chain_match { destination_port { value: 65536 } } }
            """
                .formatted(Listeners.manager("xff_num_trusted_hops: 1")));

    assertThat(Outcomes.kinds(decoded))
        .extracting(Problem::path)
        .containsExactly(
            "name",
            "address.socket_address.address",
            "address.socket_address.port_value",
            "listener_filters",
            "filter_chains[0].filter_chain_match.prefix_ranges[0].address_prefix",
            "filter_chains[0].filter_chain_match.source_type",
            "filter_chains[0].filters[0].typed_config.xff_num_trusted_hops",
            "filter_chains[0].filters[0].typed_config.http_filters",
            "filter_chains[0].filters[0].typed_config",
            "filter_chains[0].transport_socket.name",
            "default_filter_chain.filter_chain_match.destination_port",
            "default_filter_chain.filters");
  }

  @Test
  void typeUrlIsThatOfTheMessage() {
    assertThat(ListenerDecoder.TYPE_URL)
        .endsWith(
            "/" + io.envoyproxy.envoy.config.listener.v3.Listener.getDescriptor().getFullName());
  }

  private static Listener.Socket socket(String rest) {
    return (Listener.Socket) Outcomes.value(Listeners.decode(Listeners.socket(rest)));
  }
}
