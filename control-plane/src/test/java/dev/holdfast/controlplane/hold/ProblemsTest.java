// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.controlplane.hold;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.base.Problem;
import dev.holdfast.config.HistoryEntry;
import dev.holdfast.config.LocatedProblem;
import dev.holdfast.config.ObjectKey;
import dev.holdfast.config.Position;
import dev.holdfast.config.SourceNote;
import dev.holdfast.controlplane.report.ProblemReport;
import dev.holdfast.controlplane.report.Totals;
import dev.holdfast.testkit.envoy.AnswerMode;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Everything that is not as its author wants it is listed, and nothing else is. */
class ProblemsTest {
  private final World world = new World().up();

  @BeforeEach
  void join() {
    world.join("e", /* delta= */ true);
    world.write(Objects.host("web", 201)).settle();
  }

  @AfterEach
  void close() {
    world.close();
  }

  private static String invalid(String name) {
    return Objects.host(name, 200).replace("routes: [", "routes: [{oops: 1}, ");
  }

  /** Such as {@code web Invalid PREVIOUS}. */
  private List<String> problems() {
    return world.problems().stream()
        .map(
            problem ->
                (problem.object() == null
                        ? problem.proxy() + problem.place()
                        : problem.object().name())
                    + " "
                    + problem.reason()
                    + " "
                    + problem.serving())
        .toList();
  }

  @Test
  void whereAllIsWellThereAreNone() {
    assertThat(problems()).isEmpty();
    assertThat(world.totals().problems()).isZero();
    assertThat(world.totals().states()).containsEntry("programmed", 1).containsEntry("held", 0);
  }

  @Test
  void everyObjectThatIsNotServedAsWrittenIsListed() {
    String toNothing = "{conditions: [{prefix: /x}], services: [{name: none, port: 80}]}, ";
    world
        .write(
            invalid("web")
                + invalid("new")
                + Objects.host("part", 200).replace("routes: [", "routes: [" + toNothing)
                + Objects.bad("refused", 200)
                + Objects.host("good", 200)
                + Objects.host("thief", 200).replace(Objects.fqdn("thief"), Objects.fqdn("web")))
        .settle();

    assertThat(problems())
        .containsExactly(
            "new InvalidNew NOTHING",
            "part Invalid PART",
            "refused RejectedNew NOTHING",
            "thief Conflict NOTHING",
            "web Invalid PREVIOUS");
    ProblemReport web = world.problems().get(4);
    assertThat(web.generation()).isEqualTo(2);
    assertThat(web.servedGeneration()).isEqualTo(1);
    assertThat(web.details()).hasSize(2).last().asString().startsWith("f:").contains("oops");
    assertThat(web.place()).startsWith("f:");
    assertThat(web.since()).isNotNull();

    Totals totals = world.totals();
    assertThat(totals.problems()).isEqualTo(5);
    assertThat(totals.states())
        .containsEntry("programmed", 1)
        .containsEntry("invalid", 1)
        .containsEntry("partial", 1)
        .containsEntry("held", 3);
    assertThat(totals.held()).containsEntry("Invalid", 1).containsEntry("Conflict", 1);
  }

  @Test
  void aFileThatCannotBeReadIsListedWithTheObjectsThatItKeeps() {
    world.complain(
        new LocatedProblem(
            new Problem("", Problem.Kind.UNDECODABLE, "a tab"), new Position("f", 7, 1)));
    world.settle();

    assertThat(problems()).containsExactly("f:7:1 SourceProblem UNKNOWN");
    assertThat(world.problems().get(0).details())
        .containsExactly("HTTPProxy/default/web stays as it was last read from this file");
    assertThat(world.problemsOf(Objects.proxy("web")))
        .singleElement()
        .asString()
        .startsWith("f:7:1: a tab");
    Instant since = world.problems().get(0).since();

    world.advance(Duration.ofMinutes(1));
    assertThat(world.problems().get(0).since()).isEqualTo(since);
  }

  @Test
  void aCopyOfAnObjectIsListedOnce() {
    LocatedProblem copy =
        new LocatedProblem(
            new Problem("", Problem.Kind.INVALID, "is defined twice"), new Position("g", 1, 1));
    ObjectKey web = Objects.proxy("web");
    world.complain(
        copy, new TreeMap<>(Map.of(web, new SourceNote(SourceNote.DUPLICATE, copy.toString()))));
    world.settle();

    assertThat(problems()).containsExactly("g:1:1 SourceProblem UNKNOWN");
    assertThat(world.problems().get(0).affected()).containsExactly(web);
    assertThat(world.totals().states()).containsEntry("programmed", 1);
  }

  @Test
  void aDeletionThatWaitsForAConfirmationIsListed() {
    StringBuilder many = new StringBuilder();
    for (int i = 0; i < 20; i++) {
      many.append(Objects.host("many-" + i, 200));
    }
    world.write(many.toString()).settle();
    world.deleteAll().settle();

    assertThat(problems()).hasSize(21).contains("web NotConfirmed ALL");
    assertThat(world.totals().problems()).isEqualTo(21);
    assertThat(world.problems().get(0).since()).isNotNull();
    assertThat(world.problems().get(0).place()).isNotEmpty();
  }

  @Test
  void whatGrpcClientsCannotUseIsNoProblem() {
    String redirect = "{conditions: [{prefix: /x}], requestRedirectPolicy: {scheme: https}}, ";
    world.write(Objects.host("web", 201).replace("routes: [", "routes: [" + redirect)).settle();

    assertThat(world.condition(Objects.proxy("web"), "GrpcRoutes")).startsWith("False/");
    assertThat(problems()).isEmpty();
  }

  @Test
  void aProxyThatDoesNotAnswerIsListed() {
    world.envoy("e").conduct(AnswerMode.SILENT);
    world.write(Objects.host("web", 202)).settle();
    assertThat(problems()).isEmpty();

    world.advance(Duration.ofMinutes(2));
    assertThat(problems()).containsExactly("web ProxyHung PREVIOUS", "e NoAnswer UNKNOWN");
  }

  @Test
  void theHistoryTellsWhenAnObjectIsInvalidAndWhenItIsValidAgain() {
    world.write(invalid("new")).settle();
    world.write(Objects.host("new", 202)).settle();

    assertThat(world.history(Objects.proxy("new")))
        .extracting(HistoryEntry::kind)
        .extracting(HistoryEntry.Kind::name)
        .containsExactly("OBJECT_ADDED", "INVALID", "OBJECT_CHANGED", "VALID_AGAIN", "RECOVERED");
    assertThat(world.history(Objects.proxy("new")).get(1).message()).contains("oops");

    world.kill();
    world.up().settle();
    assertThat(world.history(Objects.proxy("new"))).hasSize(5);
  }
}
