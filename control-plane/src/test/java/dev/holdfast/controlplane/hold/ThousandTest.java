// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.controlplane.hold;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.controlplane.report.IncidentReport;
import dev.holdfast.testkit.envoy.FakeEnvoy;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** A thousand new hosts at once, some of them bad, and no word of the Envoy's that tells which. */
class ThousandTest {
  private static final int N = 1_000;

  private static String name(int index) {
    return "h%03d".formatted(index);
  }

  @ParameterizedTest
  @CsvSource({
    "0, true",
    "1, true",
    "2, true",
    "5, true",
    "20, true",
    "0, false",
    "1, false",
    "2, false",
    "5, false",
    "20, false"
  })
  void exactlyTheBadOnesAreHeldWithinTheBound(int count, boolean delta) {
    World world = new World().up();
    FakeEnvoy envoy = world.join("e1", delta);
    world.write(Objects.host("old", 201)).settle();
    world.watch = () -> assertThat(envoy.route(Objects.fqdn("old"), "/").status()).isEqualTo(201);
    Set<String> bad = new TreeSet<>();
    Random random = new Random(count);
    while (bad.size() < count) {
      bad.add(name(random.nextInt(N)));
    }
    StringBuilder text = new StringBuilder();
    for (int i = 0; i < N; i++) {
      text.append(Objects.host(name(i), 201, !bad.contains(name(i))));
    }
    world.write(text.toString()).settle();

    assertThat(world.held())
        .containsExactlyElementsOf(bad.stream().map(name -> name + "@1/0 RejectedNew").toList());
    int pushes = world.incidents().stream().mapToInt(IncidentReport::pushes).sum();
    assertThat(pushes).isLessThanOrEqualTo(count * 11);
    assertThat(world.statuses().values())
        .filteredOn(status -> status.equals("True/Programmed 1/1"))
        .hasSize(N - count + 1);
    for (int i = 0; i < N; i++) {
      assertThat(envoy.route(Objects.fqdn(name(i)), "/").status())
          .as(name(i))
          .isEqualTo(bad.contains(name(i)) ? 404 : 201);
    }
    world.nothingRefusedWasSentAgain();
    world.close();
  }

  @ParameterizedTest
  @CsvSource({"true", "false"})
  void aTextThatPointsAtTheOffenderSavesTheSearch(boolean delta) {
    World world = new World().up();
    world.join("e1", delta);
    StringBuilder text = new StringBuilder(Objects.host("old", 201));
    world.write(text.toString()).settle();
    for (int i = 0; i < N; i++) {
      text.append(i == 600 ? Objects.badInSoManyWords(name(i), 201) : Objects.host(name(i), 201));
    }
    world.write(text.toString()).settle();

    assertThat(world.held()).containsExactly("h600@1/0 RejectedNew");
    assertThat(world.incidents()).hasSize(1);
    assertThat(world.incidents().get(0).pushes()).isEqualTo(1);
    world.close();
  }
}
