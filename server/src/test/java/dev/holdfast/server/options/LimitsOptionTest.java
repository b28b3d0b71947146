// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.server.options;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.holdfast.controlplane.ObjectLimits;
import dev.holdfast.controlplane.ads.wire.AdsLimits;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The limits of those who connect, as they are written. */
class LimitsOptionTest {
  private static final Path SERVE_PAGE = Path.of("../docs/serve.md");

  @Test
  void aLimitThatIsNotGivenKeepsItsDefault() {
    ServeLimits limits = LimitsOption.parse("names=5, waitingBytes=2Mi,eventStreams=7");
    assertThat(limits.xds())
        .isEqualTo(AdsLimits.defaults().with("names", 5).with("waitingBytes", 2 << 20));
    assertThat(limits.eventStreams()).isEqualTo(7);
    assertThat(limits.requestBytes()).isEqualTo(ServeLimits.defaults().requestBytes());
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "names",
        "names=",
        "names=0",
        "names=-1",
        "streams=9999999999",
        "streems=5",
        "waitingBytes=4096Mi",
        "errorText=8193",
        "names=5,"
      })
  void whatIsNoLimitIsAnError(String text) {
    assertThatThrownBy(() -> LimitsOption.parse(text))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("expected");
  }

  @Test
  void limitsOfObjectsAreSetByName() {
    ServeLimits limits = LimitsOption.parse("objects=5,routesPerHost=6,historyEntry=7Ki");
    assertThat(limits.objects()).isEqualTo(new ObjectLimits(5, 6, 7 << 10));
    assertThat(limits.xds()).isEqualTo(ServeLimits.defaults().xds());
  }

  @Test
  void thePageAboutServeListsEveryLimit() throws Exception {
    String page = Files.readString(SERVE_PAGE);
    for (String name : AdsLimits.NAMES) {
      assertThat(page).contains("\n| `" + name + "` | ");
    }
    for (String name : ObjectLimits.NAMES) {
      assertThat(page).contains("\n| `" + name + "` | ");
    }
    assertThat(page).contains("\n| `requestBytes` | ", "\n| `eventStreams` | ");
  }
}
