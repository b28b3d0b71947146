// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.grpc.config;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.xds.resources.route.RouteConfiguration;
import dev.holdfast.xds.resources.route.VirtualHost;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class VirtualHostSearchTest {
  @ParameterizedTest
  @CsvSource({
    "a.foo.com, a.foo.com",
    "A.FOO.com, a.foo.com",
    "b.foo.com, *.foo.com",
    "x.b.foo.com, *.b.foo.com",
    "a.bar.org, a.*",
    "a.b.org, a.b.*",
    "a.foo.com:8080, a.*",
    "other, *",
    ".foo.com, *"
  })
  void theMostSpecificDomainWins(String authority, String domain) {
    VirtualHost found =
        VirtualHostSearch.find(
            routes("*", "a.*", "*.foo.com", "a.foo.com", "*.B.foo.com", "a.b.*"), authority);
    assertThat(found).isNotNull();
    assertThat(found.name()).isEqualToIgnoringCase(domain);
  }

  @Test
  void suffixGoesBeforePrefixWhateverTheirLengths() {
    VirtualHost found =
        VirtualHostSearch.find(routes("a.long.prefix.*", "*m"), "a.long.prefix.com");
    assertThat(found).isNotNull();
    assertThat(found.name()).isEqualTo("*m");
  }

  @Test
  void starStandsForAtLeastOneCharacter() {
    assertThat(VirtualHostSearch.find(routes("*.foo.com", "foo.*"), ".foo.com")).isNull();
    assertThat(VirtualHostSearch.find(routes("foo.*"), "foo.")).isNull();
  }

  @Test
  void noneMayFit() {
    assertThat(VirtualHostSearch.find(routes("a", "*.b"), "c")).isNull();
  }

  private static RouteConfiguration routes(String... domains) {
    return new RouteConfiguration(
        "r",
        List.of(domains).stream()
            .map(domain -> new VirtualHost(domain, List.of(domain), List.of()))
            .toList());
  }
}
