// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.xds.client.engine;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.ByteString;
import dev.holdfast.xds.client.CacheEntry;
import dev.holdfast.xds.client.CacheEntry.Acked;
import dev.holdfast.xds.client.CacheEntry.Cached;
import dev.holdfast.xds.client.CacheEntry.DoesNotExist;
import dev.holdfast.xds.client.CacheEntry.Failure;
import dev.holdfast.xds.client.CacheEntry.Nacked;
import dev.holdfast.xds.client.CacheEntry.ReceivedError;
import dev.holdfast.xds.client.CacheEntry.Requested;
import dev.holdfast.xds.client.CacheEntry.TimedOut;
import dev.holdfast.xds.client.engine.Rules.DataError;
import io.grpc.Status;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

/** Every event in every state. */
class TransitionsTest {
  private static final Cached<String> OLD = cached("old");
  private static final Failure BEFORE = failure(Status.INTERNAL.withDescription("before"));
  private static final Rules KEEP = rules(DataError.KEEP, DataError.KEEP, false);
  private static final Rules DROP = rules(DataError.DROP, DataError.DROP, false);

  private static Cached<String> cached(String value) {
    return new Cached<>(value, ByteString.copyFromUtf8(value), "1", Instant.EPOCH);
  }

  private static Failure failure(Status status) {
    return new Failure(status, "2", Instant.EPOCH.plusSeconds(1));
  }

  private static Rules rules(DataError onInvalid, DataError onDeletion, boolean transientTimer) {
    return new Rules(true, onInvalid, onDeletion, transientTimer, Duration.ofSeconds(15));
  }

  static List<CacheEntry<String>> withResource() {
    return List.of(
        new Acked<>(OLD),
        new Nacked<>(OLD, BEFORE),
        new DoesNotExist<>(OLD, BEFORE),
        new ReceivedError<>(OLD, BEFORE));
  }

  static List<CacheEntry<String>> withoutResource() {
    return List.of(
        new Requested<>(),
        new Nacked<>(null, BEFORE),
        new DoesNotExist<>(null, BEFORE),
        new ReceivedError<>(null, BEFORE),
        new TimedOut<>(BEFORE));
  }

  static Stream<CacheEntry<String>> any() {
    return Stream.concat(withResource().stream(), withoutResource().stream());
  }

  @Test
  void aResourceEndsEveryFailure() {
    Cached<String> fresh = cached("new");
    assertThat(Transitions.received(fresh)).isEqualTo(new Acked<>(fresh));
  }

  @ParameterizedTest
  @MethodSource("any")
  void invalidKeepsWhatThereIs(CacheEntry<String> entry) {
    Failure bad = failure(Status.INVALID_ARGUMENT);
    assertThat(Transitions.invalid(entry, bad, KEEP))
        .isEqualTo(new Nacked<>(entry.resource(), bad));
  }

  @ParameterizedTest
  @MethodSource("any")
  void invalidDropsWhatThereIs(CacheEntry<String> entry) {
    Failure bad = failure(Status.INVALID_ARGUMENT);
    assertThat(Transitions.invalid(entry, bad, DROP)).isEqualTo(new Nacked<>(null, bad));
  }

  @ParameterizedTest
  @MethodSource("any")
  void deletionKeepsWhatThereIs(CacheEntry<String> entry) {
    Failure gone = failure(Status.NOT_FOUND);
    assertThat(Transitions.deleted(entry, gone, KEEP))
        .isEqualTo(new DoesNotExist<>(entry.resource(), gone));
  }

  @ParameterizedTest
  @MethodSource("any")
  void deletionDropsWhatThereIs(CacheEntry<String> entry) {
    Failure gone = failure(Status.NOT_FOUND);
    assertThat(Transitions.deleted(entry, gone, DROP)).isEqualTo(new DoesNotExist<>(null, gone));
  }

  @ParameterizedTest
  @MethodSource("withResource")
  void ignoredDeletionLeavesEverythingAsItIs(CacheEntry<String> entry) {
    Rules ignore = rules(DataError.KEEP, DataError.IGNORE, false);
    assertThat(Transitions.deleted(entry, failure(Status.NOT_FOUND), ignore)).isSameAs(entry);
  }

  @ParameterizedTest
  @MethodSource("withoutResource")
  void deletionOfNothingCannotBeIgnored(CacheEntry<String> entry) {
    Rules ignore = rules(DataError.KEEP, DataError.IGNORE, false);
    Failure gone = failure(Status.NOT_FOUND);
    assertThat(Transitions.deleted(entry, gone, ignore)).isEqualTo(new DoesNotExist<>(null, gone));
  }

  @ParameterizedTest
  @EnumSource(value = Status.Code.class, mode = EnumSource.Mode.EXCLUDE, names = "OK")
  void serverErrorsDropOnlyWhereTheyAreDataErrors(Status.Code code) {
    Failure said = failure(code.toStatus());
    boolean dataError = code == Status.Code.NOT_FOUND || code == Status.Code.PERMISSION_DENIED;
    for (CacheEntry<String> entry : any().toList()) {
      assertThat(Transitions.errorReceived(entry, said, KEEP))
          .isEqualTo(new ReceivedError<>(entry.resource(), said));
      assertThat(Transitions.errorReceived(entry, said, DROP))
          .isEqualTo(new ReceivedError<>(dataError ? null : entry.resource(), said));
    }
  }

  @Test
  void aTimerMeansAbsenceOrSlowness() {
    Failure late = failure(Status.NOT_FOUND);
    assertThat(Transitions.timedOut(late, KEEP)).isEqualTo(new DoesNotExist<>(null, late));
    assertThat(Transitions.timedOut(late, rules(DataError.KEEP, DataError.KEEP, true)))
        .isEqualTo(new TimedOut<>(late));
  }
}
