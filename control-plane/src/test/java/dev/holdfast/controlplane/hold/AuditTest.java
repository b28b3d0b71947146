// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.controlplane.hold;

import static dev.holdfast.controlplane.hold.Objects.host;
import static dev.holdfast.controlplane.hold.Objects.proxy;
import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.config.HistoryEntry;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What callers of the admin port changed is in the history, also after a restart. */
class AuditTest {
  @Test
  void whoChangedWhatIsKept() {
    World world = new World().up();
    world.write(host("web", 200)).settle();
    world.audit("audit: ann from 10.0.0.1: retry HTTPProxy/default/web: done", proxy("web"));
    world.audit("audit: ann from 10.0.0.1: confirm deletions: done", null).settle();

    world.kill();
    world.up().settle();

    List<HistoryEntry> history = world.history(proxy("web"));
    assertThat(history)
        .filteredOn(entry -> entry.kind().name().equals("ADMIN_ACTION"))
        .extracting(HistoryEntry::message)
        .containsExactly("audit: ann from 10.0.0.1: retry HTTPProxy/default/web: done");
    world.close();
  }
}
