// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.controlplane.hold;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.testkit.envoy.AnswerMode;
import dev.holdfast.testkit.envoy.FakeEnvoy;
import dev.holdfast.testkit.envoy.Validator;
import io.envoyproxy.envoy.config.listener.v3.Listener;
import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Authors are told what keeps a machine from running what they wrote, and nothing less. */
class UnableTest {
  private static final String TOLD =
      "a: unable (envoy 1.39.0) cannot run Listener ingress_http: cannot bind '0.0.0.0:80':"
          + " Permission denied; it is tried again by itself, at least once a minute";

  private static final String RUNS = "a: all proxies that use it run generation 1";

  private final World world = new World().up();
  private boolean taken = true;

  private FakeEnvoy join(boolean delta) {
    world.join("able", delta);
    world.write(Objects.host("a", 201)).settle();
    assertThat(last()).isEqualTo(RUNS);
    return world.join(
        "unable",
        delta,
        Validator.on(
            Listener.class,
            listener -> taken ? "cannot bind '0.0.0.0:80': Permission denied" : null));
  }

  @AfterEach
  void close() {
    world.close();
  }

  private String last() {
    return world.told.get(world.told.size() - 1);
  }

  /** Slower than news of everything is gathered. */
  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void theyAreToldOfOneThatAnswersSlowly(boolean delta) {
    join(delta).conduct(AnswerMode.slow(Duration.ofMillis(300)));
    world.settle();

    assertThat(last()).isEqualTo(TOLD);
  }

  /** It has nothing to wait for once there is nothing left that it could be sent. */
  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void theyAreToldOfOneThatTookNothingMoreForAWhile(boolean delta) {
    FakeEnvoy envoy = join(delta);
    envoy.conduct(AnswerMode.slow(Duration.ofMillis(300)));
    world.run().advance(Duration.ofMillis(300)).advance(Duration.ofMillis(200));
    world.wiring.clog(true);
    world.advance(Duration.ofMillis(200));
    assertThat(envoy.stat("listener_manager.lds.update_rejected")).isOne();
    assertThat(last()).isEqualTo("a: not all proxies have answered");

    world.wiring.clog(false);
    world.run().advance(Duration.ofMillis(200));

    assertThat(last()).isEqualTo(TOLD);
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void triesInVainAreNoNews(boolean delta) {
    FakeEnvoy envoy = join(delta);
    world.settle();
    assertThat(last()).isEqualTo(TOLD);
    world.told.clear();

    world.advance(Duration.ofSeconds(30));

    assertThat(envoy.stat("listener_manager.lds.update_rejected")).isGreaterThan(3);
    assertThat(world.told).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void thatItRunsIsToldOnceItDoes(boolean delta) {
    join(delta);
    world.settle();
    taken = false;

    world.advance(Duration.ofSeconds(30));

    assertThat(last()).isEqualTo(RUNS);
  }
}
