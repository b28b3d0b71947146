// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.controlplane.hold;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.config.ObjectKey;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** An object of another ingress class is another controller's: it alone tells its author. */
class OtherClassTest {
  private static final ObjectKey WEB = Objects.proxy("web");

  private final World world = new World().up();

  @AfterEach
  void close() {
    world.close();
  }

  private static String ofClass(String name) {
    return Objects.host("web", 200).replace("spec: {", "spec: {ingressClassName: " + name + ", ");
  }

  @Test
  void nothingIsToldOfItAndWhatWasToldIsTakenBack() {
    world.join("e", /* delta= */ true);
    world.write(ofClass("contour")).settle();
    assertThat(world.told).last().asString().startsWith("web: ").isNotEqualTo("web: ");

    world.write(ofClass("other")).settle();
    assertThat(world.said(WEB)).startsWith("False/NotReferenced");
    assertThat(world.told).last().isEqualTo("web: ");

    world.told.clear();
    world.kill();
    world.up().settle();
    assertThat(world.told).as("after a restart").allMatch("web: "::equals);
  }
}
