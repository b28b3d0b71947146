// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.xds.resources.listener;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.xds.resources.decode.IpLiterals;
import dev.holdfast.xds.resources.testing.Outcomes;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;

/** gRFC A36: which connections a chain is for, and that it is never a matter of luck. */
class FilterChainMatchTest {

  @Test
  void everyFieldIsRead() {
    assertThat(
            match(
                """
                destination_port { value: 8080 }
                prefix_ranges { address_prefix: '10.1.2.3' prefix_len { value: 16 } }
                source_type: EXTERNAL
                source_prefix_ranges { address_prefix: 'fe80::1' prefix_len { value: 999 } }
                source_ports: [1, 2] server_names: 's' transport_protocol: 'raw_buffer'
                application_protocols: 'h2'
                """))
        .isEqualTo(
            new FilterChainMatch(
                8080,
                List.of(range("10.1.0.0", 16)),
                FilterChainMatch.SourceType.EXTERNAL,
                List.of(range("fe80::1", 128)),
                List.of(1, 2),
                List.of("s"),
                "raw_buffer",
                List.of("h2")));
  }

  @Test
  void emptyMatchAsksForNothing() {
    assertThat(match(""))
        .isEqualTo(
            new FilterChainMatch(
                FilterChainMatch.ANY_PORT,
                List.of(),
                FilterChainMatch.SourceType.ANY,
                List.of(),
                List.of(),
                List.of(),
                "",
                List.of()));
  }

  @Test
  void absentLengthOfARangeIsZeroWhichStillAsksForAFamily() {
    assertThat(match("prefix_ranges { address_prefix: '10.1.2.3' }").prefixRanges())
        .containsExactly(range("0.0.0.0", 0));
  }

  @Test
  void distinctMatchesDoNotConflict() {
    assertThat(
            conflicts(
                "",
                "source_type: EXTERNAL",
                "destination_port { value: 1 }",
                "transport_protocol: 'raw_buffer'",
                "prefix_ranges { address_prefix: '0.0.0.0' }",
                "prefix_ranges { address_prefix: '::' }",
                "source_ports: 1",
                "source_ports: 2",
                "server_names: 'a'",
                "application_protocols: 'a'"))
        .isEmpty();
  }

  @Test
  void equalMatchesConflict() {
    assertThat(conflicts("", "source_ports: 1", ""))
        .containsExactly(
            "filter_chains[2].filter_chain_match: could match the same connections as"
                + " filter_chains[0] equally well (expected: distinct matches)");
  }

  @Test
  void overlappingListsConflict() {
    assertThat(
            conflicts(
                "source_ports: [1, 2] server_names: ['a', 'b']",
                "source_ports: [2, 3] server_names: 'c'",
                "source_ports: [3, 2] server_names: ['d', 'b']"))
        .containsExactly(
            "filter_chains[2].filter_chain_match: could match the same connections as"
                + " filter_chains[0] equally well (expected: distinct matches)");
  }

  @Test
  void rangesAreComparedAfterTheirUnusedBitsAreCleared() {
    assertThat(
            conflicts(
                "prefix_ranges { address_prefix: '10.1.2.3' prefix_len { value: 8 } }",
                "prefix_ranges { address_prefix: '10.9.9.9' prefix_len { value: 8 } }"))
        .hasSize(1);
    assertThat(
            conflicts(
                "source_prefix_ranges { address_prefix: '10.1.2.3' prefix_len { value: 32 } }",
                "source_prefix_ranges { address_prefix: '10.1.2.3' prefix_len { value: 77 } }"))
        .hasSize(1);
  }

  @Test
  void repetitionsWithinOneMatchAreNoConflict() {
    assertThat(conflicts("source_ports: [1, 1] server_names: ['a', 'a']")).isEmpty();
  }

  @Test
  void combinationsAreLimited() {
    StringBuilder ports = new StringBuilder();
    for (int i = 0; i < 1_000; i++) {
      ports.append("source_ports: ").append(i).append(" server_names: 's").append(i).append("' ");
    }

    assertThat(conflicts(ports.toString()))
        .containsExactly(
            "filter_chains[0].filter_chain_match: too many combinations to tell the filter chains"
                + " apart (expected: at most 100000)");
  }

  private static List<String> conflicts(String... matches) {
    StringBuilder chains = new StringBuilder();
    for (String match : matches) {
      chains.append(Listeners.chain(match));
    }
    return Outcomes.problems(Listeners.decode(Listeners.socket(chains.toString())));
  }

  private static FilterChainMatch match(String match) {
    Listener listener = Outcomes.value(Listeners.decode(Listeners.socket(Listeners.chain(match))));
    return ((Listener.Socket) listener).filterChains().get(0).match();
  }

  private static CidrRange range(String network, int length) {
    return new CidrRange(Objects.requireNonNull(IpLiterals.parse(network)), length);
  }
}
