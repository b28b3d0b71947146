// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.config;

import static java.nio.charset.StandardCharsets.UTF_8;
import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.InputStream;
import java.util.List;
import org.junit.jupiter.api.Test;

/**
 * What the first version with a state in records wrote, in an etcd or a cluster, is read today. The
 * file is never changed: states like this one exist.
 */
class StateFormatTest {
  private static final ObjectKey SHOP = new ObjectKey("HTTPProxy", "default", "shop");
  private static final ObjectKey BAD = new ObjectKey("HTTPProxy", "default", "bad");

  @Test
  void whatTheFirstVersionWroteIsRead() throws Exception {
    List<String> lines = lines();

    StateChange change = StateText.parse(lines.get(0));

    assertThat(change.accepted().put()).containsOnlyKeys(SHOP, BAD);
    ConfigObject shop = requireNonNull(change.accepted().put().get(SHOP)).object();
    assertThat(shop.generation()).isEqualTo(2);
    assertThat(ValueText.of(shop.body())).contains("\"fqdn\":\"shop.example\"");
    assertThat(change.byClass().put()).hasSize(1);
    assertThat(change.classes().put()).containsOnlyKeys("envoy/1.30");
    assertThat(change.rejections().put().values())
        .singleElement()
        .satisfies(rejection -> assertThat(rejection.message()).isEqualTo("no healthy"));
    assertThat(requireNonNull(change.statuses().put().get(SHOP)).status().conditions())
        .containsOnlyKeys("Programmed", "Valid");
    assertThat(change.held().put()).hasSize(1);
    assertThat(change.history().stream().map(HistoryEntry::kind).toList())
        .containsExactly(HistoryEntry.Kind.PROGRAMMED, HistoryEntry.Kind.REJECTED);
    assertThat(StateText.parseGenerations(lines.get(1)))
        .containsOnlyKeys(SHOP, BAD)
        .hasEntrySatisfying(SHOP, known -> assertThat(known.number()).isEqualTo(2));
  }

  @Test
  void whatIsReadIsWrittenInTheSameWords() throws Exception {
    for (String line : lines().subList(0, 1)) {
      assertThat(StateText.of(StateText.parse(line))).isEqualTo(line);
    }
  }

  private static List<String> lines() throws IOException {
    try (InputStream in =
        requireNonNull(StateFormatTest.class.getResourceAsStream("state-format-1.jsonl"))) {
      return new String(in.readAllBytes(), UTF_8).lines().toList();
    }
  }
}
