// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.controlplane.rollout.trial;

import static dev.holdfast.controlplane.rollout.Fleet.BAD;
import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.config.ConfigObject;
import dev.holdfast.config.ObjectKey;
import dev.holdfast.controlplane.rollout.Fleet;
import dev.holdfast.controlplane.rollout.trial.RolloutState.Kind;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Every event in every state, and the table in the class doc against the code. */
class RolloutMachineTest {
  private static final String TABLE =
      "src/main/java/dev/holdfast/controlplane/rollout/trial/RolloutTransitions.java";

  private final Fleet fleet = new Fleet();

  // Ways into each state.

  private void bringTo(Kind state) {
    switch (state) {
      case AWAITING_OBJECTS -> {}
      case COLD_START -> fleet.change(fleet.host("h0", "1"));
      case FROZEN -> {
        List<ConfigObject> live = serveHosts("e1");
        live.set(3, fleet.host("h3", BAD));
        fleet.forget(live).settle();
      }
      case IDLE -> serveHosts("e1");
      case TRYING -> {
        serveHosts("e1");
        fleet.member("e1").mute = fleet.member("e1").pushes + 1;
        fleet.change(fleet.host("h0", "2"));
      }
      case SEARCHING -> {
        serveHosts("e1");
        fleet.member("e1").mute = fleet.member("e1").pushes + 2;
        fleet.change(editsWithOneBad());
      }
      case SEARCH_WAITING -> {
        bringTo(Kind.SEARCHING);
        fleet.withoutVote.add("e1");
        fleet.run(() -> fleet.rollout.check());
      }
      case JUDGING -> {
        serveHosts("e1");
        fleet.join("e2");
        fleet.member("e2").mute = fleet.member("e2").pushes + 1;
        fleet.change(fleet.host("h0", BAD));
      }
      case CLOSED -> {
        serveHosts("e1");
        fleet.rollout.close();
      }
    }
    assertThat(state()).isEqualTo(state);
  }

  private List<ConfigObject> serveHosts(String node) {
    fleet.join(node);
    List<ConfigObject> hosts = new ArrayList<>();
    for (int i = 0; i < 8; i++) {
      hosts.add(fleet.host("h" + i, "1"));
    }
    fleet.change(hosts);
    return hosts;
  }

  private List<ConfigObject> editsWithOneBad() {
    List<ConfigObject> edits = new ArrayList<>();
    for (int i = 0; i < 8; i++) {
      edits.add(fleet.host("h" + i, i == 5 ? BAD : "2"));
    }
    return edits;
  }

  private Kind state() {
    return fleet.rollout.machine().state().kind();
  }

  private void fire(RolloutEvent event) {
    switch (event) {
      case OBJECTS_CHANGED -> change("new", fleet.host("new", "1"));
      case FLEET_CHANGED, TIMER_FIRED, STATE_WRITTEN ->
          fleet.run(() -> fleet.rollout.machine().handle(event));
      case COMMIT_UNDONE -> fleet.run(() -> fleet.rollout.machine().undo(new TreeMap<>()));
      case CLOSED -> fleet.run(fleet.rollout::close);
    }
  }

  private void change(String name, @Nullable ConfigObject object) {
    SortedMap<ObjectKey, @Nullable ConfigObject> changes = new TreeMap<>();
    changes.put(new ObjectKey("HTTPProxy", "default", name), object);
    fleet.run(() -> fleet.rollout.change(changes));
  }

  /**
   * The state after an event and all decisions that follow from it. The proxies of these tests do
   * not answer meanwhile.
   */
  private static Kind expected(Kind state, RolloutEvent event) {
    return switch (event) {
      case CLOSED -> Kind.CLOSED;
      case FLEET_CHANGED, TIMER_FIRED, STATE_WRITTEN -> state;
      case COMMIT_UNDONE ->
          switch (state) {
            case AWAITING_OBJECTS, COLD_START, FROZEN, CLOSED -> state;
            case IDLE, TRYING, SEARCHING, SEARCH_WAITING -> Kind.IDLE; // e1 does not answer
            case JUDGING -> Kind.TRYING;
          };
      case OBJECTS_CHANGED ->
          switch (state) {
            case AWAITING_OBJECTS, COLD_START -> Kind.COLD_START;
            case IDLE, TRYING -> Kind.TRYING;
            case FROZEN, SEARCHING, SEARCH_WAITING, JUDGING, CLOSED -> state;
          };
    };
  }

  static Stream<Arguments> everyEventInEveryState() {
    return Arrays.stream(Kind.values())
        .flatMap(
            state -> Arrays.stream(RolloutEvent.values()).map(event -> Arguments.of(state, event)));
  }

  @ParameterizedTest
  @MethodSource
  void everyEventInEveryState(Kind state, RolloutEvent event) {
    bringTo(state);
    fire(event);
    assertThat(state()).isEqualTo(expected(state, event));
  }

  static Stream<Arguments> deletionInEveryState() {
    Map<Kind, Kind> after = new EnumMap<>(Kind.class);
    after.put(Kind.AWAITING_OBJECTS, Kind.COLD_START);
    after.put(Kind.COLD_START, Kind.COLD_START);
    after.put(Kind.FROZEN, Kind.FROZEN);
    after.put(Kind.IDLE, Kind.IDLE);
    after.put(Kind.TRYING, Kind.IDLE);
    after.put(Kind.SEARCHING, Kind.IDLE);
    after.put(Kind.SEARCH_WAITING, Kind.IDLE);
    after.put(Kind.JUDGING, Kind.IDLE);
    after.put(Kind.CLOSED, Kind.CLOSED);
    return after.entrySet().stream().map(entry -> Arguments.of(entry.getKey(), entry.getValue()));
  }

  /** The deleted object is tried, searched or served, whatever the state has. */
  @ParameterizedTest
  @MethodSource
  void deletionInEveryState(Kind state, Kind expected) {
    bringTo(state);
    change("h0", null);
    assertThat(state()).isEqualTo(expected);
  }

  @Test
  void anAnswerCommitsAndARefusalIsSearched() {
    bringTo(Kind.TRYING);
    fleet.member("e1").speak();
    fire(RolloutEvent.FLEET_CHANGED);
    assertThat(state()).isEqualTo(Kind.IDLE);

    fleet.change(fleet.host("h0", "3"));
    change("h1", fleet.host("h1", BAD));
    assertThat(state()).isEqualTo(Kind.TRYING);
    fire(RolloutEvent.FLEET_CHANGED);
    assertThat(fleet.held()).as("one suspect needs no search").containsExactly("h1@2/1");
    assertThat(state()).isEqualTo(Kind.IDLE);
  }

  // The table.

  private static Map<String, Set<String>> tableInTheClassDoc() throws IOException {
    Map<String, Set<String>> rows = new TreeMap<>();
    for (String line : Files.readAllLines(Path.of(TABLE))) {
      String[] cells = line.replaceFirst("^ \\* ?", "").split("\\|", -1);
      if (line.startsWith(" * ") && cells.length == 3 && cells[2].matches(" [A-Z_ ]+")) {
        String key = cells[0].strip() + " " + cells[1].strip();
        assertThat(rows).as("a row stands once").doesNotContainKey(key);
        rows.put(key, new TreeSet<>(List.of(cells[2].strip().split(" "))));
      }
    }
    return rows;
  }

  private static void put(Map<String, Set<String>> rows, Kind state, String cause, Set<Kind> to) {
    if (!to.isEmpty()) {
      Set<String> names = new TreeSet<>();
      to.forEach(kind -> names.add(kind.name()));
      rows.put(state + " " + cause, names);
    }
  }

  @Test
  void theTableInTheClassDocIsTheCode() throws IOException {
    Map<String, Set<String>> code = new TreeMap<>();
    for (Kind state : Kind.values()) {
      for (RolloutEvent event : List.of(RolloutEvent.OBJECTS_CHANGED, RolloutEvent.COMMIT_UNDONE)) {
        put(code, state, event.name(), RolloutTransitions.on(event, state));
      }
      for (RolloutDecision.Kind decision :
          EnumSet.complementOf(EnumSet.of(RolloutDecision.Kind.WAIT))) {
        put(code, state, decision.name(), RolloutTransitions.after(decision, state));
      }
      assertThat(RolloutTransitions.on(RolloutEvent.CLOSED, state)).containsExactly(Kind.CLOSED);
    }
    code.put("(every state) CLOSED", Set.of("CLOSED"));

    assertThat(tableInTheClassDoc()).isEqualTo(code);
  }
}
