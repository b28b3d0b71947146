// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.xds.resources.route;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.xds.resources.testing.Outcomes;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class DomainsTest {

  @Test
  void namesAndSingleStarsAtEitherEndAreKept() {
    assertThat(
            Outcomes.value(
                    Routes.decode(
                        "name: 'r' virtual_hosts { domains: ['a.b', 'a.b:80', '*.b', 'a.*', '*'] }"))
                .virtualHosts()
                .get(0)
                .domains())
        .isEqualTo(List.of("a.b", "a.b:80", "*.b", "a.*", "*"));
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "a.*.b", "**", "*a*", "*.b.*"})
  void malformedDomainsAreRejected(String domain) {
    assertThat(
            Outcomes.problems(
                Routes.decode("name: 'r' virtual_hosts { domains: ['ok', '" + domain + "'] }")))
        .containsExactly(
            "virtual_hosts[0].domains[1]: \""
                + domain
                + "\" (expected: a name, with at most one star and that at either end)");
  }

  @Test
  void domainOccursOnlyOnceInAllVirtualHosts() {
    assertThat(
            Outcomes.problems(
                Routes.decode(
                    """
                    name: 'r'
                    virtual_hosts { domains: ['a', 'b', 'a'] }
                    virtual_hosts { domains: ['c', 'B'] }
                    """)))
        .containsExactly(
            "virtual_hosts[0].domains[2]: \"a\" (expected: in no more than one virtual host)",
            "virtual_hosts[1].domains[1]: \"B\" (expected: in no more than one virtual host)");
  }

  @Test
  void virtualHostWithoutDomainsIsRejected() {
    assertThat(Outcomes.problems(Routes.decode("name: 'r' virtual_hosts {}")))
        .containsExactly("virtual_hosts[0].domains: empty (expected: at least one domain)");
  }

  @Test
  void noVirtualHostsAreFine() {
    assertThat(Outcomes.value(Routes.decode("name: 'r'")))
        .isEqualTo(new RouteConfiguration("r", List.of()));
  }
}
