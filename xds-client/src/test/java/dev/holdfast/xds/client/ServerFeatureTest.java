// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.xds.client;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** How a bootstrap spells server features. */
class ServerFeatureTest {
  @ParameterizedTest
  @EnumSource(ServerFeature.class)
  void everyFeatureIsReadAsItIsWritten(ServerFeature feature) {
    assertThat(ServerFeature.parse(feature.text())).contains(feature);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"resource_timer_is_transient_error", "resource_timer_is_transient_failure"})
  @DisplayName("H52 both spellings of the timer feature mean the same")
  void h52BothSpellingsOfTheTimerFeature(String spelling) {
    assertThat(ServerFeature.parse(spelling))
        .contains(ServerFeature.RESOURCE_TIMER_IS_TRANSIENT_ERROR);
  }

  @Test
  void unknownFeaturesAreNone() {
    assertThat(ServerFeature.parse("xds_v3")).isEmpty();
    assertThat(ServerFeature.parse("")).isEmpty();
    assertThat(ServerFeature.parse("FAIL_ON_DATA_ERRORS")).isEmpty();
  }
}
