// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.cli.xds;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.ByteString;
import dev.holdfast.base.Decoded;
import dev.holdfast.xds.client.CacheEntry;
import dev.holdfast.xds.client.CacheEntry.Cached;
import dev.holdfast.xds.client.CacheEntry.Failure;
import dev.holdfast.xds.client.Completeness;
import dev.holdfast.xds.client.ResourceStatus;
import dev.holdfast.xds.client.ResourceType;
import dev.holdfast.xds.client.ServerConfig;
import io.grpc.Status;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class EntryTest {
  private static final Instant TIME = Instant.parse("2030-01-01T00:00:00Z");
  private static final Cached<String> CACHED = new Cached<>("value", ByteString.EMPTY, "8", TIME);
  private static final Failure FAILURE =
      new Failure(Status.NOT_FOUND.withDescription("deleted"), "9", TIME.plusSeconds(1));

  @Test
  void everyStateHasItsNameItsLabelAndWhatIsInUse() {
    assertThat(entry(new CacheEntry.Requested<>()))
        .isEqualTo(expected("REQUESTED", "requested", null, null));
    assertThat(entry(new CacheEntry.Acked<>(CACHED)))
        .isEqualTo(expected("ACKED", "acked", CACHED, null));
    assertThat(entry(new CacheEntry.Nacked<>(CACHED, FAILURE)))
        .isEqualTo(expected("NACKED", "nacked_but_cached", CACHED, FAILURE));
    assertThat(entry(new CacheEntry.DoesNotExist<>(CACHED, FAILURE)))
        .isEqualTo(expected("DOES_NOT_EXIST", "does_not_exist_but_cached", CACHED, FAILURE));
    assertThat(entry(new CacheEntry.ReceivedError<>(null, FAILURE)))
        .isEqualTo(expected("RECEIVED_ERROR", "received_error", null, FAILURE));
    assertThat(entry(new CacheEntry.TimedOut<>(FAILURE)))
        .isEqualTo(expected("TIMEOUT", "timeout", null, FAILURE));
  }

  @Test
  void entriesAreSortedByTypeAndThenByName() {
    List<Entry> entries =
        Entry.sorted(List.of(named("route", "a"), named("cluster", "b"), named("cluster", "a")));

    assertThat(entries)
        .containsExactly(named("cluster", "a"), named("cluster", "b"), named("route", "a"));
  }

  private static Entry expected(
      String state, String label, @Nullable Cached<?> cached, @Nullable Failure failure) {
    return new Entry(
        "cluster",
        "a",
        state,
        label,
        cached == null ? null : "8",
        cached != null,
        failure == null ? null : new Entry.Problem("NOT_FOUND", "deleted"),
        cached == null ? null : TIME);
  }

  private static Entry named(String type, String name) {
    return new Entry(type, name, "REQUESTED", "requested", null, false, null, null);
  }

  private static Entry entry(CacheEntry<String> entry) {
    return Entry.of(new ResourceStatus(new Clusters(), "a", entry));
  }

  private static final class Clusters implements ResourceType<String> {
    @Override
    public String typeUrl() {
      return "type.googleapis.com/envoy.config.cluster.v3.Cluster";
    }

    @Override
    public String shortName() {
      return "CDS";
    }

    @Override
    public Completeness completeness() {
      return Completeness.FULL;
    }

    @Override
    public Decoded<String> decode(ByteString serialized, ServerConfig server) {
      return Decoded.valid("a", "value");
    }
  }
}
