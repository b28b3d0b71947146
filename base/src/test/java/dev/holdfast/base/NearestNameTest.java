// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.base;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

/** The name that an author probably meant. */
class NearestNameTest {
  private static final List<String> NAMES = List.of("services", "conditions", "virtualhost", "s");

  @Test
  void fewWrongLettersLeadToTheName() {
    assertThat(NearestName.of("servces", NAMES)).isEqualTo("services");
    assertThat(NearestName.of("serivces", NAMES)).isEqualTo("services");
    assertThat(NearestName.of("virtualHost", NAMES)).isEqualTo("virtualhost");
  }

  @Test
  void anotherNameIsNoneOfThem() {
    assertThat(NearestName.of("upstreams", NAMES)).isNull();
    assertThat(NearestName.of("t", NAMES)).isNull();
    assertThat(NearestName.of("", NAMES)).isNull();
    assertThat(NearestName.of("x".repeat(10_000), NAMES)).isNull();
  }
}
