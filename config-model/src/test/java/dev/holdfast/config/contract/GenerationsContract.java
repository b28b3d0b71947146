// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.config.contract;

import static dev.holdfast.config.contract.Samples.NOW;
import static dev.holdfast.config.contract.Samples.accepted;
import static dev.holdfast.config.contract.Samples.key;
import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.config.Generations;
import dev.holdfast.config.Generations.Generation;
import dev.holdfast.config.ObjectKey;
import dev.holdfast.config.StateChange;
import dev.holdfast.config.StateStore;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Test;

/** Generations are given once. */
public interface GenerationsContract extends StoreUnderTest {
  @Test
  default void aSourceThatCountsGetsItsOwnNumbersUnlessTheyStoodForSomethingElse() {
    try (StateStore store = open()) {
      Generations generations = store.generations();

      assertThat(counted(generations, "d1", 4)).isEqualTo(4);
      assertThat(counted(generations, "d2", 7)).isEqualTo(7);
      assertThat(counted(generations, "d2", 8)).as("the same body").isEqualTo(7);
      assertThat(counted(generations, "d3", 1)).as("deleted, and created again").isEqualTo(8);
      assertThat(counted(generations, "d4", 9)).isEqualTo(9);
      assertThat(assign(generations, "d5", NOW).number()).isEqualTo(10);
    }
  }

  private static long counted(Generations generations, String digest, long number) {
    return requireNonNull(
            generations
                .assign(Map.of(key("a"), digest), Map.of(key("a"), number), NOW)
                .get(key("a")))
        .number();
  }

  @Test
  default void aNewBodyRaisesTheGenerationAndAKnownOneDoesNot() {
    Instant later = NOW.plusSeconds(1);
    try (StateStore store = open()) {
      Generations generations = store.generations();

      assertThat(assign(generations, "d1", NOW)).isEqualTo(new Generation(1, "d1", NOW));
      assertThat(assign(generations, "d1", later)).isEqualTo(new Generation(1, "d1", NOW));
      assertThat(assign(generations, "d2", later)).isEqualTo(new Generation(2, "d2", NOW));
      assertThat(assign(generations, "d1", later)).isEqualTo(new Generation(3, "d1", NOW));
    }
  }

  @Test
  default void everyObjectOfACallIsAnswered() {
    try (StateStore store = open()) {
      store.generations().assign(Map.of(key("a"), "d1"), NOW);

      assertThat(store.generations().assign(Map.of(key("a"), "d2", key("b"), "d1"), NOW))
          .isEqualTo(
              Map.of(
                  key("a"), new Generation(2, "d2", NOW), key("b"), new Generation(1, "d1", NOW)));
      assertThat(store.generations().assign(Map.of(), NOW)).isEmpty();
    }
  }

  @Test
  default void whatIsKnownCanBeAskedForWithoutChangingIt() {
    try (StateStore store = open()) {
      store.generations().assign(Map.of(key("a"), "d1", key("b"), "d2"), NOW);

      assertThat(store.generations().known(Set.of(key("a"), key("never seen"))))
          .isEqualTo(Map.of(key("a"), new Generation(1, "d1", NOW)));
      assertThat(store.generations().known(Set.of())).isEmpty();
      assertThat(assign(store.generations(), "d1", NOW).number()).isEqualTo(1);
    }
  }

  @Test
  default void anObjectThatIsGoneKeepsItsNumber() {
    try (StateStore store = open()) {
      assign(store.generations(), "d1", NOW);
      store.commit(StateChange.builder().putAccepted(accepted(key("a"), 1)).build());
      store.commit(StateChange.builder().removeAccepted(key("a")).removeStatus(key("a")).build());

      assertThat(assign(store.generations(), "d2", NOW).number()).isEqualTo(2);
    }
  }

  @Test
  default void namesAreToldApartHoweverTheyAreWritten() {
    try (StateStore store = open()) {
      SortedMap<ObjectKey, String> digests = new TreeMap<>();
      for (String hostile : Samples.HOSTILE) {
        digests.put(new ObjectKey("Service", "default", hostile), "d");
        digests.put(new ObjectKey("Service", hostile, "default"), "d");
        digests.put(new ObjectKey("service", "default", hostile), "d");
      }
      store.generations().assign(digests, NOW);

      assertThat(store.generations().assign(digests, NOW.plusSeconds(1)))
          .hasSize(digests.size())
          .allSatisfy((key, given) -> assertThat(given).isEqualTo(new Generation(1, "d", NOW)));
    }
  }

  /** 4 threads number 10 objects while another commits; no number is given to two bodies. */
  @Test
  default void generationsAndChangesMayComeFromManyThreads() throws Exception {
    int threads = 4;
    int rounds = 25;
    Map<ObjectKey, Map<Long, String>> given = new ConcurrentHashMap<>();
    CountDownLatch start = new CountDownLatch(1);
    ExecutorService executor = Executors.newFixedThreadPool(threads + 1);
    try (StateStore store = open()) {
      List<Future<?>> work = new ArrayList<>();
      for (int thread = 0; thread < threads; thread++) {
        String mine = "t" + thread + "-";
        work.add(
            executor.submit(
                () -> {
                  start.await();
                  for (int round = 0; round < rounds; round++) {
                    number(store.generations(), mine + round, given);
                  }
                  return null;
                }));
      }
      work.add(
          executor.submit(
              () -> {
                start.await();
                for (int round = 1; round <= rounds; round++) {
                  store.commit(
                      StateChange.builder().putAccepted(accepted(key("c"), round)).build());
                  assertThat(store.load().accepted()).containsOnlyKeys(key("c"));
                }
                return null;
              }));
      start.countDown();
      for (Future<?> each : work) {
        each.get();
      }

      assertThat(requireNonNull(store.load().accepted().get(key("c"))).object().generation())
          .isEqualTo(rounds);
    } finally {
      executor.shutdownNow();
    }
    assertThat(given).hasSize(10);
    given.forEach(
        (key, numbers) -> {
          assertThat(numbers).hasSize(threads * rounds);
          Set<String> bodies = new HashSet<>(numbers.values());
          assertThat(bodies).hasSize(threads * rounds);
        });
  }

  private static void number(
      Generations generations, String digest, Map<ObjectKey, Map<Long, String>> given) {
    Map<ObjectKey, String> digests = new TreeMap<>();
    for (int i = 0; i < 10; i++) {
      digests.put(key("o" + i), digest);
    }
    generations
        .assign(digests, NOW)
        .forEach(
            (key, generation) ->
                assertThat(
                        given
                            .computeIfAbsent(key, k -> new ConcurrentHashMap<>())
                            .put(generation.number(), generation.digest()))
                    .isNull());
  }

  private static Generation assign(Generations generations, String digest, Instant now) {
    return requireNonNull(generations.assign(Map.of(key("a"), digest), now).get(key("a")));
  }
}
