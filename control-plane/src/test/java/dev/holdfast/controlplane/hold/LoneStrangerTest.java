// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.controlplane.hold;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.config.ObjectKey;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** One proxy that is a class of its own, and behaved until now, refuses everything. */
class LoneStrangerTest {
  private static final ObjectKey WEB = Objects.proxy("web");

  private final World world = new World().up();
  private final AtomicBoolean refuses = new AtomicBoolean();

  @BeforeEach
  void join() {
    world.join("e1", /* delta= */ true);
    world.join("e2", /* delta= */ true);
    world.write(Objects.host("web", 200)).settle();
    world.joinGroup("s", "stranger", message -> refuses.get() ? "no" : null);
    world.advance(Duration.ofSeconds(15)).settle();
  }

  @AfterEach
  void close() {
    world.close();
  }

  @Test
  void nobodyElseNotices() {
    assertThat(world.said(WEB)).startsWith("True/Programmed");
    refuses.set(true);
    world.write(Objects.host("web", 201)).settle();

    assertThat(world.said(WEB)).startsWith("True/Programmed");
    assertThat(world.envoy("e2").route(Objects.fqdn("web"), "/").status()).isEqualTo(201);
    assertThat(world.envoy("s").route(Objects.fqdn("web"), "/").status()).isEqualTo(200);
  }
}
