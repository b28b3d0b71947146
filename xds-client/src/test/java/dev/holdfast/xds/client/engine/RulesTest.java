// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.xds.client.engine;

import static dev.holdfast.xds.client.ServerFeature.FAIL_ON_DATA_ERRORS;
import static dev.holdfast.xds.client.ServerFeature.IGNORE_RESOURCE_DELETION;
import static dev.holdfast.xds.client.ServerFeature.RESOURCE_TIMER_IS_TRANSIENT_ERROR;
import static dev.holdfast.xds.client.ServerFeature.TRUSTED_XDS_SERVER;
import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.xds.client.Behaviour;
import dev.holdfast.xds.client.ServerConfig;
import dev.holdfast.xds.client.ServerFeature;
import dev.holdfast.xds.client.engine.Rules.DataError;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Which rules follow from a server's features and the switch. */
class RulesTest {
  private static final String SWITCH = "GRPC_EXPERIMENTAL_XDS_DATA_ERROR_HANDLING";
  private static final Duration SHORT = Duration.ofSeconds(15);
  private static final Duration LONG = Duration.ofSeconds(30);

  private static Rules on(ServerFeature... features) {
    return Rules.of(Behaviour.fromEnvironment(Map.of()), server(features));
  }

  private static Rules off(ServerFeature... features) {
    return Rules.of(Behaviour.fromEnvironment(Map.of(SWITCH, "false")), server(features));
  }

  private static ServerConfig server(ServerFeature... features) {
    return ServerConfig.insecure("server.example:443", features);
  }

  @Test
  void byDefaultDataErrorsKeepAndTimersMeanAbsence() {
    assertThat(on()).isEqualTo(new Rules(true, DataError.KEEP, DataError.KEEP, false, SHORT));
  }

  @Test
  void failOnDataErrorsDropsForEveryDataError() {
    assertThat(on(FAIL_ON_DATA_ERRORS))
        .isEqualTo(new Rules(true, DataError.DROP, DataError.DROP, false, SHORT));
  }

  @Test
  void transientTimersTakeLongerAndMeanSlowness() {
    assertThat(on(RESOURCE_TIMER_IS_TRANSIENT_ERROR))
        .isEqualTo(new Rules(true, DataError.KEEP, DataError.KEEP, true, LONG));
  }

  @Test
  void ignoreResourceDeletionHasNoEffect() {
    assertThat(on(IGNORE_RESOURCE_DELETION)).isEqualTo(on());
    assertThat(on(IGNORE_RESOURCE_DELETION, FAIL_ON_DATA_ERRORS))
        .isEqualTo(on(FAIL_ON_DATA_ERRORS));
  }

  @Test
  void trustHasNothingToDoWithErrors() {
    assertThat(on(TRUSTED_XDS_SERVER)).isEqualTo(on());
    assertThat(off(TRUSTED_XDS_SERVER)).isEqualTo(off());
  }

  @Test
  void switchedOffDeletionsDropAndServerErrorsAreNotRead() {
    assertThat(off()).isEqualTo(new Rules(false, DataError.KEEP, DataError.DROP, false, SHORT));
  }

  @Test
  void switchedOffTheNewFeaturesHaveNoEffect() {
    assertThat(off(FAIL_ON_DATA_ERRORS, RESOURCE_TIMER_IS_TRANSIENT_ERROR)).isEqualTo(off());
  }

  @Test
  void switchedOffDeletionsCanBeIgnored() {
    assertThat(off(IGNORE_RESOURCE_DELETION))
        .isEqualTo(new Rules(false, DataError.KEEP, DataError.IGNORE, false, SHORT));
  }

  @Test
  void onlyTheWordFalseSwitchesOff() {
    assertThat(Behaviour.fromEnvironment(Map.of()).dataErrorHandling()).isTrue();
    assertThat(Behaviour.fromEnvironment(Map.of(SWITCH, "true")).dataErrorHandling()).isTrue();
    assertThat(Behaviour.fromEnvironment(Map.of(SWITCH, "")).dataErrorHandling()).isTrue();
    assertThat(Behaviour.fromEnvironment(Map.of(SWITCH, "False")).dataErrorHandling()).isFalse();
  }
}
