// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.controlplane.ads.stream;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.controlplane.ads.stream.TypeStreamState.Transition;
import dev.holdfast.controlplane.snapshot.ResourceTable;
import dev.holdfast.controlplane.snapshot.Snapshot;
import java.lang.reflect.Method;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.TreeSet;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Every event in every state does what the table in the class doc says. */
class TypeStreamStateTest {
  private static final InFlightResponse SENT = response("1");
  private static final InFlightResponse NEXT = response("2");

  private static final List<TypeStreamState> STATES =
      List.of(
          TypeStreamState.AWAITING_REQUEST,
          TypeStreamState.FIRST_RESPONSE_DUE,
          TypeStreamState.IDLE,
          new TypeStreamState.InFlight(SENT),
          new TypeStreamState.Overdue(SENT));

  private static final Map<String, Function<TypeStreamState, Transition>> EVENTS =
      new LinkedHashMap<>();

  static {
    EVENTS.put("REQUEST", TypeStreamState::onRequest);
    EVENTS.put("RESUME", TypeStreamState::onResume);
    EVENTS.put("SEND", state -> state.onSend(NEXT));
    EVENTS.put("ACK", TypeStreamState::onAck);
    EVENTS.put("NACK", TypeStreamState::onNack);
    EVENTS.put("TIMEOUT", TypeStreamState::onTimeout);
  }

  private static InFlightResponse response(String nonce) {
    return new InFlightResponse(
        nonce,
        nonce,
        new PlannedResponse(),
        ResourceTable.empty(),
        Snapshot.empty(),
        /* removalsOfHeld= */ NameSets.none(),
        /* replacesRejected= */ false,
        /* sentAt= */ 0);
  }

  @Test
  void everyTransitionIsInTheDocumentedTable() throws Exception {
    DocTable table = DocTable.of(TypeStreamState.class);

    Map<String, List<String>> actual = new LinkedHashMap<>();
    for (TypeStreamState state : STATES) {
      actual.put(name(state), EVENTS.values().stream().map(event -> cell(state, event)).toList());
    }

    assertThat(table.columns()).containsExactlyElementsOf(EVENTS.keySet());
    assertThat(table.rows()).isEqualTo(actual);
  }

  /** The next state and the actions, as the table writes them. */
  private static String cell(TypeStreamState state, Function<TypeStreamState, Transition> event) {
    try {
      Transition transition = event.apply(state);
      String actions =
          transition.actions().stream().map(Enum::name).collect(Collectors.joining(", "));
      if (transition.next() == state && actions.isEmpty()) {
        return "-";
      }
      return name(transition.next()) + (actions.isEmpty() ? "" : ": " + actions);
    } catch (IllegalStateException e) {
      return "illegal";
    }
  }

  private static String name(TypeStreamState state) {
    return state.getClass().getSimpleName();
  }

  @Test
  void theTestKnowsEveryStateAndEveryEvent() {
    assertThat(STATES.stream().map(TypeStreamStateTest::name))
        .containsExactlyInAnyOrderElementsOf(leaves(TypeStreamState.class));
    assertThat(EVENTS.keySet())
        .containsExactlyInAnyOrderElementsOf(
            Arrays.stream(TypeStreamState.class.getDeclaredMethods())
                .filter(method -> method.getReturnType() == Transition.class)
                .map(Method::getName)
                .map(name -> name.substring("on".length()).toUpperCase(Locale.ROOT))
                .collect(Collectors.toCollection(TreeSet::new)));
  }

  private static List<String> leaves(Class<?> type) {
    if (!type.isSealed()) {
      return List.of(type.getSimpleName());
    }
    List<String> leaves = new ArrayList<>();
    for (Class<?> permitted : Objects.requireNonNull(type.getPermittedSubclasses())) {
      leaves.addAll(leaves(permitted));
    }
    return leaves;
  }

  @Test
  void aResponseIsUnansweredFromSendingToItsAnswer() {
    for (TypeStreamState state : STATES) {
      if (state.maySend()) {
        assertThat(unanswered(state.onSend(NEXT))).isSameAs(NEXT);
        assertThat(unanswered(state.onSend(NEXT).next().onTimeout())).isSameAs(NEXT);
      }
      assertThat(unanswered(state.onAck())).isNull();
      assertThat(unanswered(state.onNack())).isNull();
      assertThat(unanswered(state.onRequest())).isSameAs(state.unanswered());
      assertThat(unanswered(state.onTimeout())).isSameAs(state.unanswered());
    }
  }

  @Test
  void aResponseMayBeSentWhereTheTableAllowsIt() {
    for (TypeStreamState state : STATES) {
      assertThat(state.maySend())
          .as(name(state))
          .isEqualTo(!cell(state, any -> any.onSend(NEXT)).equals("illegal"));
    }
  }

  private static @Nullable InFlightResponse unanswered(Transition transition) {
    return transition.next().unanswered();
  }
}
