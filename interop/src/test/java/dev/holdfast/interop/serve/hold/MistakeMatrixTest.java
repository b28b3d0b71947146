// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.interop.serve.hold;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import dev.holdfast.base.SystemTime;
import dev.holdfast.cli.Main;
import dev.holdfast.cli.Shell;
import dev.holdfast.interop.serve.Plane;
import dev.holdfast.interop.serve.PlaneProcess;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Supplier;
import org.awaitility.core.ConditionTimeoutException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Every kind of object with every kind of mistake, new or as an edit of what is served: what a
 * request gets, what is said and counted, before and after a restart, and when the mistake is
 * mended or deleted.
 *
 * <ol>
 *   <li>All objects that are to be served before are written, and answer.
 *   <li>All mistakes are written at once. Nothing that was served answers otherwise at any time.
 *   <li>The control plane restarts: everything is as it was.
 *   <li>One half of the mistakes is mended, and takes effect; the other half is deleted.
 * </ol>
 *
 * The second run, over the other protocol, deletes what the first one mends, and the reverse.
 */
class MistakeMatrixTest {
  /**
   * What is expected of each mistake.
   *
   * <ul>
   *   <li>answer: to a request to the host of the object, while the mistake is there
   *   <li>reason: of the condition {@code Programmed} of the object, if there is one
   *   <li>served: the generation that is served; new objects are at 1, edits at 2
   *   <li>diff: the exit code of {@code holdfast diff}: 0 no difference, 1 no such object, 5
   *       differs
   *   <li>alerts: by which metrics of docs/operations.md it is counted
   *   <li>mended, deleted: the answer after that
   * </ul>
   */
  private static final String TABLE =
      """
      kind                     | mistake           | when   | answer  | reason      | served | diff | alerts       | mended  | deleted
      HTTPProxy                | syntax            | new    | 404     | -           | 0      | 1    | source       | 200 two | 404
      HTTPProxy                | syntax            | before | 200 one | Programmed  | 1      | 5    | source       | 200 two | 404
      HTTPProxy                | unknown field     | new    | 404     | InvalidNew  | 0      | 5    | invalid      | 200 two | 404
      HTTPProxy                | unknown field     | before | 200 one | Invalid     | 1      | 5    | invalid held | 200 two | 404
      HTTPProxy                | bad value         | new    | 404     | InvalidNew  | 0      | 5    | invalid      | 200 two | 404
      HTTPProxy                | bad value         | before | 200 one | Invalid     | 1      | 5    | invalid held | 200 two | 404
      HTTPProxy                | missing reference | new    | 503     | Invalid     | 1      | 5    | invalid      | 200 two | 404
      HTTPProxy                | missing reference | before | 200 one | Invalid     | 1      | 5    | invalid held | 200 two | 404
      HTTPProxy                | conflict          | new    | 404     | Conflict    | 0      | 5    | invalid held | 200 two | 404
      HTTPProxy                | conflict          | before | 200 one | Conflict    | 1      | 5    | held         | 200 two | 404
      HTTPProxy                | refused           | new    | 404     | RejectedNew | 0      | 5    | held         | 200 two | 404
      HTTPProxy                | refused           | before | 200 one | Rejected    | 1      | 5    | held         | 200 two | 404
      Ingress                  | syntax            | new    | 404     | -           | 0      | 1    | source       | 200 two | 404
      Ingress                  | syntax            | before | 200 one | Programmed  | 1      | 5    | source       | 200 two | 404
      Ingress                  | unknown field     | new    | 404     | InvalidNew  | 0      | 5    | invalid      | 200 two | 404
      Ingress                  | unknown field     | before | 200 one | Invalid     | 1      | 5    | invalid held | 200 two | 404
      Ingress                  | bad value         | new    | 404     | InvalidNew  | 0      | 5    | invalid      | 200 two | 404
      Ingress                  | bad value         | before | 200 one | Invalid     | 1      | 5    | invalid held | 200 two | 404
      Ingress                  | missing reference | new    | 503     | Invalid     | 1      | 5    | invalid      | 200 two | 404
      Ingress                  | missing reference | before | 200 one | Invalid     | 1      | 5    | invalid held | 200 two | 404
      Ingress                  | conflict          | new    | 404     | Conflict    | 0      | 5    | invalid held | 200 two | 404
      Ingress                  | conflict          | before | 200 one | Conflict    | 1      | 5    | held         | 200 two | 404
      Ingress                  | refused           | new    | 404     | RejectedNew | 0      | 5    | held         | 200 two | 404
      Ingress                  | refused           | before | 200 one | Rejected    | 1      | 5    | held         | 200 two | 404
      Service                  | syntax            | new    | 503     | -           | 0      | 1    | source       | 200 one | 503
      Service                  | syntax            | before | 200 one | Programmed  | 1      | 5    | source       | 200 one | 503
      Service                  | unknown field     | new    | 503     | InvalidNew  | 0      | 5    | invalid      | 200 one | 503
      Service                  | unknown field     | before | 200 one | Invalid     | 1      | 5    | invalid held | 200 one | 503
      Service                  | bad value         | new    | 503     | InvalidNew  | 0      | 5    | invalid      | 200 one | 503
      Service                  | bad value         | before | 200 one | Invalid     | 1      | 5    | invalid held | 200 one | 503
      Service                  | conflict          | before | 200 one | Conflict    | 1      | 5    | held         | 200 one | 503
      EndpointSlice            | syntax            | new    | 503     | -           | 0      | 1    | source       | 200 two | 503
      EndpointSlice            | syntax            | before | 200 one | Programmed  | 1      | 5    | source       | 200 two | 503
      EndpointSlice            | unknown field     | new    | 503     | InvalidNew  | 0      | 5    | invalid      | 200 two | 503
      EndpointSlice            | unknown field     | before | 200 one | Invalid     | 1      | 5    | invalid held | 200 two | 503
      EndpointSlice            | bad value         | new    | 200 one | Invalid     | 1      | 5    | invalid      | 200 two | 503
      EndpointSlice            | bad value         | before | 200 one | Invalid     | 2      | 5    | invalid      | 200 two | 503
      Secret                   | syntax            | new    | nothing | -           | 0      | 1    | source       | 200 one | nothing
      Secret                   | syntax            | before | 200 one | Programmed  | 1      | 5    | source       | 200 one | nothing
      Secret                   | unknown field     | new    | nothing | InvalidNew  | 0      | 5    | invalid      | 200 one | nothing
      Secret                   | unknown field     | before | 200 one | Invalid     | 1      | 5    | invalid held | 200 one | nothing
      Secret                   | bad value         | new    | nothing | InvalidNew  | 0      | 5    | invalid      | 200 one | nothing
      Secret                   | bad value         | before | 200 one | Invalid     | 1      | 5    | invalid held | 200 one | nothing
      Secret                   | conflict          | before | 200 one | Conflict    | 1      | 5    | held         | 200 one | nothing
      Secret                   | refused           | new    | nothing | RejectedNew | 0      | 5    | held         | 200 one | nothing
      Secret                   | refused           | before | 200 one | Rejected    | 1      | 5    | held         | 200 one | nothing
      ExtensionPolicy          | syntax            | before | 403     | Programmed  | 1      | 5    | source       | 403     | 200 one
      ExtensionPolicy          | unknown field     | new    | 404     | InvalidNew  | 0      | 5    | invalid held | 403     | 200 one
      ExtensionPolicy          | unknown field     | before | 403     | Invalid     | 1      | 5    | invalid held | 403     | 200 one
      ExtensionPolicy          | bad value         | new    | 404     | InvalidNew  | 0      | 5    | invalid held | 403     | 200 one
      ExtensionPolicy          | bad value         | before | 403     | Invalid     | 1      | 5    | invalid held | 403     | 200 one
      ExtensionPolicy          | missing reference | before | 403     | Invalid     | 1      | 5    | invalid held | 403     | 200 one
      ExtensionPolicy          | conflict          | before | 403     | Conflict    | 1      | 5    | held         | 403     | 200 one
      ExtensionPolicy          | refused           | new    | 404     | RejectedNew | 0      | 5    | held         | 403     | 200 one
      ExtensionPolicy          | refused           | before | 403     | Rejected    | 1      | 5    | held         | 403     | 200 one
      TLSCertificateDelegation | syntax            | new    | nothing | -           | 0      | 1    | source       | 200 one | nothing
      TLSCertificateDelegation | syntax            | before | 200 one | Programmed  | 1      | 5    | source       | 200 one | nothing
      TLSCertificateDelegation | unknown field     | new    | nothing | InvalidNew  | 0      | 5    | invalid      | 200 one | nothing
      TLSCertificateDelegation | unknown field     | before | 200 one | Invalid     | 1      | 5    | invalid held | 200 one | nothing
      TLSCertificateDelegation | bad value         | new    | nothing | InvalidNew  | 0      | 5    | invalid      | 200 one | nothing
      TLSCertificateDelegation | bad value         | before | 200 one | Invalid     | 1      | 5    | invalid held | 200 one | nothing
      """;

  /** What is not in the table, and why. */
  private static final String LEFT_OUT =
      """
      Service                  | missing reference | new    | refers to nothing
      Service                  | missing reference | before | refers to nothing
      Service                  | conflict          | new    | a port that others miss is their missing reference
      Service                  | refused           | new    | holds nothing that only Envoy can judge
      Service                  | refused           | before | holds nothing that only Envoy can judge
      EndpointSlice            | missing reference | new    | a Service may come later than its endpoints
      EndpointSlice            | missing reference | before | endpoints that leave a Service apply at once
      EndpointSlice            | conflict          | new    | several may be of one Service
      EndpointSlice            | conflict          | before | several may be of one Service
      EndpointSlice            | refused           | new    | holds nothing that only Envoy can judge
      EndpointSlice            | refused           | before | holds nothing that only Envoy can judge
      Secret                   | missing reference | new    | refers to nothing
      Secret                   | missing reference | before | refers to nothing
      Secret                   | conflict          | new    | a Secret of another type is the missing reference of others
      ExtensionPolicy          | syntax            | new    | nobody can know which host the file is about
      ExtensionPolicy          | missing reference | new    | nobody can know which host it is about
      ExtensionPolicy          | conflict          | new    | its host is the rival's, which is served before
      TLSCertificateDelegation | missing reference | new    | a Secret may come later than its permission
      TLSCertificateDelegation | missing reference | before | a permission that is taken back ends at once
      TLSCertificateDelegation | conflict          | new    | permissions add up
      TLSCertificateDelegation | conflict          | before | permissions add up
      TLSCertificateDelegation | refused           | new    | no proxy sees it
      TLSCertificateDelegation | refused           | before | no proxy sees it
      """;

  private static final List<String> KINDS =
      List.of(
          "HTTPProxy",
          "Ingress",
          "Service",
          "EndpointSlice",
          "Secret",
          "ExtensionPolicy",
          "TLSCertificateDelegation");
  private static final List<String> MISTAKES =
      List.of("syntax", "unknown field", "bad value", "missing reference", "conflict", "refused");

  /** What is seen of a mistake while it is there. */
  private record Outcome(String answer, String reason, long served, int diff, String alerts) {
    static Outcome of(List<String> words) {
      return new Outcome(
          words.get(3),
          words.get(4),
          Long.parseLong(words.get(5)),
          Integer.parseInt(words.get(6)),
          words.get(7));
    }
  }

  /** A line of the table. */
  private record Cell(
      String kind,
      String mistake,
      boolean isNew,
      Outcome expected,
      String whenMended,
      String whenDeleted) {
    static Cell parse(String line) {
      List<String> words = words(line);
      return new Cell(
          words.get(0),
          words.get(1),
          words.get(2).equals("new"),
          Outcome.of(words),
          words.get(8),
          words.get(9));
    }

    String name() {
      return "%s-%s-%s"
          .formatted(kind, mistake.replace(' ', '-'), isNew ? "new" : "old")
          .toLowerCase(Locale.ROOT);
    }

    String key() {
      return Mistakes.key(kind, name());
    }

    String file() {
      return name() + ".yaml";
    }

    /** The generation of the object once it is mended. */
    long mendedGeneration() {
      boolean isRead = !mistake.equals("syntax");
      return 1L + (isNew ? 0 : 1) + (isRead ? 1 : 0);
    }

    Watch.Probe probe(String answer) {
      return new Watch.Probe(Mistakes.isSecure(kind), Hosts.fqdn(name()), "/", answer);
    }

    String goodAnswer() {
      return kind.equals("ExtensionPolicy") ? "403" : "200 one";
    }
  }

  private static List<String> words(String line) {
    return Arrays.stream(line.split("\\|", -1)).map(String::strip).toList();
  }

  private static final List<Cell> CELLS = TABLE.lines().skip(1).map(Cell::parse).toList();

  @Test
  void nothingIsLeftOutWithoutAReason() {
    List<String> all = new ArrayList<>();
    for (String kind : KINDS) {
      for (String mistake : MISTAKES) {
        all.add(kind + ", " + mistake + ", new");
        all.add(kind + ", " + mistake + ", before");
      }
    }
    List<String> listed = new ArrayList<>();
    TABLE.lines().skip(1).forEach(line -> listed.add(String.join(", ", words(line).subList(0, 3))));
    LEFT_OUT.lines().forEach(line -> listed.add(String.join(", ", words(line).subList(0, 3))));
    assertThat(listed).containsExactlyInAnyOrderElementsOf(all);
  }

  @ParameterizedTest
  @CsvSource({"real delta, true", "real sotw, false"})
  void noMistakeCostsTrafficAndEveryOneIsTold(String proxy, boolean mendsTheFirst) {
    try (Scene scene = Scene.start(proxy)) {
      new Run(scene, mendsTheFirst).all();
    }
  }

  /**
   * All of it on one control plane and one Envoy.
   *
   * @param mendsTheFirst whether the first line of the table is mended, and not deleted
   */
  private record Run(Scene scene, boolean mendsTheFirst) {
    private Plane plane() {
      return scene.plane();
    }

    void all() {
      List<Watch.Probe> served = writeWhatIsServedBefore();
      try (Watch watch = Watch.begin(scene, served.toArray(new Watch.Probe[0]))) {
        writeMistakes();
        check("all mistakes are there", CELLS);
        watch.someMore();
        plane().down();
        watch.someMore();
        plane().up();
        check("after a restart", CELLS);
      }
      mendHalf();
      deleteHalf();
    }

    private List<Watch.Probe> writeWhatIsServedBefore() {
      List<Watch.Probe> probes = new ArrayList<>();
      for (Cell cell : CELLS) {
        if (!cell.isNew()) {
          write(cell.name() + "-rest.yaml", Mistakes.rest(cell.kind(), cell.name()));
          write(cell.file(), Mistakes.good(cell.kind(), cell.name()));
          probes.add(cell.probe(cell.goodAnswer()));
        }
        String rival =
            cell.mistake().equals("conflict")
                ? Mistakes.rivalObjects(cell.kind(), cell.name())
                : "";
        if (!rival.isEmpty()) {
          write(cell.name() + "-rival.yaml", rival);
          probes.add(Watch.Probe.of(Hosts.fqdn(Mistakes.rival(cell.name())), cell.goodAnswer()));
        }
      }
      return probes;
    }

    private void writeMistakes() {
      for (Cell cell : CELLS) {
        if (cell.isNew()) {
          write(cell.name() + "-rest.yaml", Mistakes.rest(cell.kind(), cell.name()));
        }
        write(cell.file(), Mistakes.bad(cell.kind(), cell.mistake(), cell.name()));
      }
    }

    private void write(String file, String text) {
      if (!text.isEmpty()) {
        plane().write(file, text);
      }
    }

    /** Everything is as the table says, and the metrics count what is told of the objects. */
    private void check(String when, List<Cell> cells) {
      await(
          when,
          cells.stream().map(cell -> line(cell, cell.expected(), false)).toList(),
          () -> {
            Told told = Told.of(plane());
            return cells.stream().map(cell -> line(cell, outcome(cell, told), false)).toList();
          });
      Told told = Told.of(plane());
      assertThat(cells.stream().map(cell -> line(cell, outcome(cell, told), true)).toList())
          .as("%s, with diff", when)
          .isEqualTo(cells.stream().map(cell -> line(cell, cell.expected(), true)).toList());
      assertThat(plane().metric("holdfast_objects_invalid")).isEqualTo(told.invalid().size());
      assertThat(plane().metric("holdfast_held_objects")).isEqualTo(told.held().size());
      assertThat(plane().metric("holdfast_source_problems"))
          .isEqualTo(
              cells.stream().filter(cell -> cell.expected().alerts().equals("source")).count());
    }

    private static String line(Cell cell, Outcome outcome, boolean withDiff) {
      return "%s | %s | %s | %s | %s | %d | %s | %s"
          .formatted(
              cell.kind(),
              cell.mistake(),
              cell.isNew() ? "new" : "before",
              outcome.answer(),
              outcome.reason(),
              outcome.served(),
              withDiff ? outcome.diff() : "",
              outcome.alerts());
    }

    private Outcome outcome(Cell cell, Told told) {
      JsonObject object = told.objects().get(cell.key());
      return new Outcome(
          answer(cell),
          object == null ? "-" : PlaneProcess.programmed(object).replaceFirst("^.*/", ""),
          object == null ? 0 : object.get("servedGeneration").getAsLong(),
          diff(cell.key()),
          told.alerts(cell));
    }

    private String answer(Cell cell) {
      return scene.seen(Mistakes.isSecure(cell.kind()), Hosts.fqdn(cell.name()), "/");
    }

    private int diff(String key) {
      PrintStream nowhere =
          new PrintStream(OutputStream.nullOutputStream(), false, StandardCharsets.UTF_8);
      Shell shell =
          new Shell(
              InputStream.nullInputStream(),
              nowhere,
              nowhere,
              Map.of(),
              SystemTime.instance(),
              Shell.Terminal.none());
      return Main.run(shell, "diff", key, "--server", "http://127.0.0.1:" + plane().adminPort());
    }

    /** One half of the new ones and the other half of those that were served before. */
    private boolean isMended(int cell) {
      return ((cell + cell / 2) % 2 == 0) == mendsTheFirst;
    }

    private List<Cell> half(boolean mended) {
      List<Cell> half = new ArrayList<>();
      for (int i = 0; i < CELLS.size(); i++) {
        if (isMended(i) == mended) {
          half.add(CELLS.get(i));
        }
      }
      return half;
    }

    private void mendHalf() {
      List<Cell> half = half(/* mended= */ true);
      for (Cell cell : half) {
        plane().write(cell.file(), Mistakes.mended(cell.kind(), cell.name()));
      }
      await(
          "mended",
          half.stream()
              .map(cell -> cell.key() + " " + cell.whenMended() + " " + mended(cell))
              .toList(),
          () -> {
            Told told = Told.of(plane());
            return half.stream()
                .map(cell -> cell.key() + " " + answer(cell) + " " + told.programmed(cell.key()))
                .toList();
          });
    }

    private static String mended(Cell cell) {
      long generation = cell.mendedGeneration();
      return "True/Programmed " + generation + "/" + generation;
    }

    private void deleteHalf() {
      List<Cell> half = half(/* mended= */ false);
      half.forEach(cell -> plane().delete(cell.file()));
      await(
          "deleted",
          half.stream().map(cell -> cell.key() + " " + cell.whenDeleted() + " gone").toList(),
          () -> {
            Told told = Told.of(plane());
            return half.stream()
                .map(cell -> cell.key() + " " + answer(cell) + " " + told.programmed(cell.key()))
                .toList();
          });
      for (Cell cell : half) { // what was only there for them, and misses them
        if (!Mistakes.rest(cell.kind(), cell.name()).isEmpty()) {
          plane().delete(cell.name() + "-rest.yaml");
        }
      }
      Plane.await("nothing is held: " + scene.held(), () -> scene.held().isEmpty());
      Plane.await(
          "nothing is wrong",
          () ->
              plane().metric("holdfast_held_objects") == 0
                  && plane().metric("holdfast_objects_invalid") == 0
                  && plane().metric("holdfast_source_problems") == 0);
      for (Cell cell : half(/* mended= */ true)) {
        assertThat(answer(cell)).as(cell.key()).isEqualTo(cell.whenMended());
      }
    }

    /** Waits until all lines are as expected; if not, shows those that are not. */
    private static void await(String what, List<String> expected, Supplier<List<String>> actual) {
      try {
        Plane.await(what, () -> actual.get().equals(expected));
      } catch (ConditionTimeoutException e) {
        List<String> last = new ArrayList<>(actual.get());
        List<String> wanted = new ArrayList<>(expected);
        wanted.removeAll(last);
        last.removeAll(expected);
        assertThat(last).as(what).isEqualTo(wanted);
      }
    }
  }

  /** What the admin port tells of all objects at a moment. */
  private record Told(
      SortedMap<String, JsonObject> objects, TreeSet<String> invalid, TreeSet<String> held) {
    static Told of(Plane plane) {
      SortedMap<String, JsonObject> objects = new TreeMap<>();
      TreeSet<String> invalid = new TreeSet<>();
      for (JsonObject object : plane.items("/api/v1/objects")) {
        objects.put(key(object), object);
        JsonElement valid = PlaneProcess.condition(object, "Valid").get("status");
        if (valid != null && valid.getAsString().equals("False")) {
          invalid.add(key(object));
        }
      }
      TreeSet<String> held = new TreeSet<>();
      plane.items("/api/v1/holds").forEach(hold -> held.add(key(hold)));
      return new Told(objects, invalid, held);
    }

    private static String key(JsonObject object) {
      return "%s/%s/%s"
          .formatted(
              object.get("kind").getAsString(),
              object.get("namespace").getAsString(),
              object.get("name").getAsString());
    }

    String alerts(Cell cell) {
      List<String> alerts = new ArrayList<>();
      if (invalid.contains(cell.key())) {
        alerts.add("invalid");
      }
      if (held.contains(cell.key())) {
        alerts.add("held");
      }
      // A file that holds nothing yet is counted, but there is no object to say so.
      JsonObject object = objects.get(cell.key());
      if (object == null || PlaneProcess.condition(object, "Source").has("reason")) {
        alerts.add("source");
      }
      return String.join(" ", alerts);
    }

    /** Such as {@code True/Programmed 2/2}: the newest generation and the one that is served. */
    String programmed(String key) {
      JsonObject object = objects.get(key);
      return object == null
          ? "gone"
          : "%s %s/%s"
              .formatted(
                  PlaneProcess.programmed(object),
                  object.get("generation"),
                  object.get("servedGeneration"));
    }
  }
}
