// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.grpc.balance.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.grpc.balance.kit.Clusters;
import dev.holdfast.xds.resources.endpoint.LocalityEndpoints;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class PriorityNamesTest {
  private final PriorityNames names = new PriorityNames();

  /** One text for each priority, one letter for each locality. */
  private List<String> name(String... priorities) {
    List<List<LocalityEndpoints>> localities = new ArrayList<>();
    for (String priority : priorities) {
      localities.add(
          priority
              .chars()
              .mapToObj(zone -> Clusters.locality(Character.toString(zone), 0, zone))
              .toList());
    }
    return names.name(localities);
  }

  @Test
  void namesAreKeptWhileLocalitiesStay() {
    assertThat(name("ab", "c")).containsExactly("child0", "child1");
    assertThat(name("ab", "c")).containsExactly("child0", "child1");
    assertThat(name("bx", "c")).containsExactly("child0", "child1");
  }

  @Test
  void localitiesThatMoveTakeTheirNameAlong() {
    name("a", "b");
    assertThat(name("b", "a")).containsExactly("child1", "child0");
    assertThat(name("b")).containsExactly("child1");
  }

  @Test
  void aNewPriorityBeforeOthersGetsANewName() {
    name("a", "b");
    assertThat(name("x", "a", "b")).containsExactly("child2", "child0", "child1");
  }

  @Test
  void ofTwoPrioritiesThatWereOneTheFirstKeepsTheName() {
    name("ab");
    assertThat(name("a", "b")).containsExactly("child0", "child1");
  }

  @Test
  void prioritiesThatBecomeOneKeepTheNameOfItsFirstLocality() {
    name("a", "b");
    assertThat(name("ba")).containsExactly("child1");
  }

  @Test
  void aLocalityInTwoPrioritiesKeepsBothNames() {
    name("a", "ab");
    assertThat(name("a", "ab")).containsExactly("child0", "child1");
  }

  @Test
  void namesAreNeverUsedForSomethingElse() {
    name("a", "b");
    name("a");
    assertThat(name("a", "b")).containsExactly("child0", "child2");
  }
}
