// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.server.options;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class StatePathTest {
  private static final Map<String, String> HOME = Map.of("HOME", "/home/ann");

  @TempDir Path temporary;

  @Test
  void theStateIsAmongTheUsersOtherState() throws Exception {
    assertThat(StatePath.of(Path.of("/srv/shop"), HOME).toString())
        .matches("/home/ann/.local/state/holdfast/shop-[0-9a-f]{12}/state.db");
    assertThat(
            StatePath.of(
                    Path.of("/srv/shop"), Map.of("HOME", "/home/ann", "XDG_STATE_HOME", "/state"))
                .toString())
        .matches("/state/holdfast/shop-[0-9a-f]{12}/state.db");
  }

  @Test
  void aRelativeXdgStateHomeIsIgnored() throws Exception {
    assertThat(
            StatePath.of(
                Path.of("/srv/shop"), Map.of("HOME", "/home/ann", "XDG_STATE_HOME", "state")))
        .isEqualTo(StatePath.of(Path.of("/srv/shop"), HOME));
  }

  @Test
  void oneDirectoryHasOneStateWhicheverWayItIsWritten() throws Exception {
    Path real = Files.createDirectories(temporary.resolve("a/shop"));
    Path link = Files.createSymbolicLink(temporary.resolve("link"), real);

    assertThat(StatePath.of(link, HOME)).isEqualTo(StatePath.of(real, HOME));
    assertThat(StatePath.of(real.resolve("../shop"), HOME)).isEqualTo(StatePath.of(real, HOME));
  }

  @Test
  void twoDirectoriesOfOneNameHaveTwoStates() throws Exception {
    assertThat(StatePath.of(Path.of("/a/shop"), HOME))
        .isNotEqualTo(StatePath.of(Path.of("/b/shop"), HOME));
  }

  @Test
  void withoutAHomeTheUserMustSay() {
    assertThatThrownBy(() -> StatePath.of(Path.of("/srv/shop"), Map.of()))
        .isInstanceOf(StartException.class)
        .hasMessageContaining("--state PATH");
  }
}
