// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.config.files;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.base.Problem;
import dev.holdfast.config.ConfigObject;
import dev.holdfast.config.Digest;
import dev.holdfast.config.LocatedProblem;
import dev.holdfast.config.ObjectKey;
import dev.holdfast.config.Position;
import dev.holdfast.config.SourceNote;
import dev.holdfast.config.files.FileResult.State;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

/** What a tree of files holds after each look at it. */
class FileTreeTest {
  private final SortedMap<String, FileResult> files = new TreeMap<>();
  private final List<String> unreadable = new ArrayList<>();
  private final Map<ObjectKey, String> known = new TreeMap<>();
  private FileTree tree = FileTree.EMPTY;

  @Test
  void aFileHoldsWhatItSays() {
    file("t/a.yaml", State.COMPLETE, "x:1", "y:1");
    look();
    file("t/a.yaml", State.COMPLETE, "x:2");
    look();

    assertThat(held()).containsExactly("x:2");
  }

  @Test
  void aFileThatIsGoneHoldsNothing() {
    file("t/a.yaml", State.COMPLETE, "x:1");
    look();
    files.clear();
    look();

    assertThat(held()).isEmpty();
  }

  @Test
  void aBrokenFileHoldsWhatItHeldAndNothingItSays() {
    file("t/a.yaml", State.COMPLETE, "x:1", "y:1");
    look();
    file("t/a.yaml", State.BROKEN, "x:2", "z:1");
    look();
    look();

    assertThat(held()).containsExactly("x:1", "y:1");
    assertThat(tree.problems()).hasSize(1);
  }

  @Test
  void aNewBrokenFileHoldsNothing() {
    file("t/a.yaml", State.BROKEN, "x:1");
    look();

    assertThat(held()).isEmpty();
    assertThat(tree.problems()).hasSize(1);
  }

  @Test
  void aDocumentThatIsNotUnderstoodRemovesNothingOfItsFile() {
    file("t/a.yaml", State.COMPLETE, "x:1", "y:1");
    look();
    file("t/a.yaml", State.PARTLY, "x:2", "z:1");
    look();
    assertThat(held()).containsExactly("x:2", "y:1", "z:1");

    file("t/a.yaml", State.COMPLETE, "x:2");
    look();
    assertThat(held()).containsExactly("x:2");
    assertThat(tree.problems()).isEmpty();
  }

  @Test
  void aBlankFileHoldsWhatItHeldAndSaysSo() {
    file("t/a.yaml", State.COMPLETE, "x:1");
    look();
    file("t/a.yaml", State.BLANK);
    look();

    assertThat(held()).containsExactly("x:1");
    assertThat(tree.problems())
        .extracting(LocatedProblem::toString)
        .containsExactly(
            "t/a.yaml: the file is empty; its objects stay in force (to remove them, delete the"
                + " file or leave only a comment in it)");
  }

  @Test
  void aBlankFileThatNeverHeldAnythingIsNoProblem() {
    file("t/a.yaml", State.BLANK);
    look();

    assertThat(tree.problems()).isEmpty();
  }

  @Test
  void whatIsOutOfSightStays() {
    file("t/a.yaml", State.COMPLETE, "x:1");
    file("t/sub/b.yaml", State.COMPLETE, "y:1");
    file("t/subway/c.yaml", State.COMPLETE, "z:1");
    look();
    files.clear();
    unreadable.add("t/sub");
    look();
    assertThat(held()).containsExactly("y:1");

    unreadable.clear();
    look();
    assertThat(held()).isEmpty();
  }

  @Test
  void ofTwoPlacesTheFirstCountsAndTheOtherStepsIn() {
    file("t/a.yaml", State.COMPLETE, "x:1");
    file("t/b.yaml", State.COMPLETE, "x:2");
    look();
    assertThat(held()).containsExactly("x:1");
    assertThat(tree.problems()).hasSize(1);

    files.remove("t/a.yaml");
    look();
    assertThat(held()).containsExactly("x:2");
    assertThat(tree.problems()).isEmpty();
  }

  @Test
  void aCopyDoesNotTakeThePlaceOfWhatIsThere() {
    file("t/b.yaml", State.COMPLETE, "x:1");
    look();
    file("t/a.yaml", State.COMPLETE, "x:2");
    look();
    assertThat(held()).containsExactly("x:1");
    assertThat(tree.problems())
        .extracting(LocatedProblem::toString)
        .singleElement()
        .asString()
        .startsWith("t/a.yaml:")
        .contains("Service/default/x is defined twice", "the one in use is at t/b.yaml:");
    assertThat(note("x")).startsWith("Duplicate t/a.yaml:").contains("t/b.yaml:");

    file("t/b.yaml", State.COMPLETE, "x:3");
    look();
    assertThat(held()).as("the incumbent is edited").containsExactly("x:3");

    files.remove("t/b.yaml");
    look();
    assertThat(held()).as("the copy takes over").containsExactly("x:2");
    assertThat(tree.problems()).isEmpty();
    assertThat(tree.notes()).isEmpty();

    file("t/b.yaml", State.COMPLETE, "x:1");
    look();
    assertThat(held()).as("and is the incumbent from then on").containsExactly("x:2");
  }

  @Test
  void aCopyDoesNotTakeThePlaceOfWhatABrokenFileHolds() {
    for (State state : List.of(State.BROKEN, State.BLANK, State.PARTLY)) {
      file("t/b.yaml", State.COMPLETE, "x:1", "y:1");
      file("t/a.yaml", State.COMPLETE);
      look();
      file("t/a.yaml", State.COMPLETE, "x:2");
      file("t/b.yaml", state);
      look();

      assertThat(held()).containsExactly("x:1", "y:1");
      files.remove("t/b.yaml");
      look();
      assertThat(held()).containsExactly("x:2");
    }
  }

  @Test
  void aCopyInTheSameFileDoesNotTakeThePlaceOfWhatIsThere() {
    file("t/a.yaml", State.COMPLETE, "x:1");
    look();
    file("t/a.yaml", State.COMPLETE, "x:2", "x:1");
    look();

    assertThat(held()).containsExactly("x:1");
    assertThat(tree.problems()).hasSize(1);
  }

  @Test
  void afterAStartTheBodyThatIsKnownGoesFirst() {
    file("t/a.yaml", State.COMPLETE, "x:2");
    file("t/b.yaml", State.COMPLETE, "x:1");
    ObjectKey key = new ObjectKey("Service", "default", "x");
    String known = Digest.of(object("t/b.yaml", "x", 1).body());

    tree = tree.after(scan(), keys -> keys.contains(key) ? Map.of(key, known) : Map.of());

    assertThat(held()).containsExactly("x:1");
  }

  @Test
  void afterAStartTheFirstCountsIfNoneOrBothAreKnown() {
    file("t/a.yaml", State.COMPLETE, "x:1");
    file("t/b.yaml", State.COMPLETE, "x:2");
    ObjectKey key = new ObjectKey("Service", "default", "x");

    tree = tree.after(scan(), keys -> Map.of(key, "of another body"));

    assertThat(held()).containsExactly("x:1");
  }

  @Test
  void whatIsHeldIsNoted() {
    file("t/a.yaml", State.COMPLETE, "x:1", "y:1");
    look();
    assertThat(tree.complete()).isTrue();
    file("t/a.yaml", State.BROKEN);
    look();
    assertThat(note("x")).isEqualTo("Unreadable the object stays as it was before: t/a.yaml: bad");
    assertThat(note("y")).isEqualTo(note("x"));
    assertThat(tree.complete()).isFalse();

    file("t/a.yaml", State.PARTLY, "x:2");
    look();
    assertThat(tree.notes().keySet()).extracting(ObjectKey::name).containsExactly("y");

    file("t/a.yaml", State.BLANK);
    look();
    assertThat(note("x")).contains("the file is empty");

    file("t/a.yaml", State.COMPLETE, "x:2", "y:1");
    look();
    assertThat(tree.notes()).isEmpty();
    assertThat(tree.complete()).isTrue();
  }

  @Test
  void whatAFileMayNotHoldIsAProblemAndNotThere() {
    file("t/mine.yaml", State.COMPLETE, "x:1");
    file("t/theirs.yaml", State.COMPLETE, "x:2", "y:2");
    lookWithRules();

    assertThat(held()).as("nobody takes a name by coming first").containsExactly("x:1");
    assertThat(tree.complete()).isTrue();
    assertThat(tree.problems())
        .extracting(LocatedProblem::toString)
        .containsExactly(
            "t/theirs.yaml:2:1: metadata.namespace: Service/default/x: not here",
            "t/theirs.yaml:2:1: metadata.namespace: Service/default/y: not here");
    assertThat(tree.notes()).isEmpty();
  }

  @Test
  void whatWasThereBeforeTheRuleStaysAsItWas() {
    file("t/theirs.yaml", State.COMPLETE, "x:1", "y:1");
    look();
    lookWithRules();
    assertThat(held()).containsExactly("x:1", "y:1");
    assertThat(note("x")).startsWith("Misplaced the object stays as it was before: t/theirs.yaml");

    file("t/theirs.yaml", State.COMPLETE, "x:2", "y:1");
    lookWithRules();
    assertThat(held()).as("an edit does not count").containsExactly("x:1", "y:1");

    file("t/mine.yaml", State.COMPLETE, "x:3");
    lookWithRules();
    assertThat(held()).as("whoever may have it gets it").containsExactly("x:3", "y:1");

    files.remove("t/theirs.yaml");
    lookWithRules();
    assertThat(held()).containsExactly("x:3");
    assertThat(tree.notes()).isEmpty();
  }

  @Test
  void afterAStartWhatIsKnownStaysAndWhatWasEditedIsSomewhere() {
    file("t/theirs.yaml", State.COMPLETE, "x:1", "y:2");
    known.put(new ObjectKey("Service", "default", "x"), digest("x", 1));
    lookWithRules();
    assertThat(held()).containsExactly("x:1");
    assertThat(tree.complete()).isTrue();

    tree = FileTree.EMPTY;
    known.put(new ObjectKey("Service", "default", "y"), digest("y", 1));
    lookWithRules();
    assertThat(held()).containsExactly("x:1");
    assertThat(tree.complete()).as("y may be served as it was").isFalse();
  }

  @Test
  void aCopyInAnotherDirectoryDoesNotOutliveTheObject() {
    file("t/mine.yaml", State.COMPLETE, "x:1");
    file("t/theirs.yaml", State.COMPLETE, "x:1");
    known.put(new ObjectKey("Service", "default", "x"), digest("x", 1));
    lookWithRules();
    files.remove("t/mine.yaml");
    lookWithRules();

    assertThat(held()).isEmpty();
  }

  private static String digest(String name, int port) {
    return Digest.of(object("t/any.yaml", name, port).body());
  }

  private void lookWithRules() {
    tree =
        tree.after(
            scan(), keys -> known, (file, key) -> file.endsWith("theirs.yaml") ? "not here" : null);
  }

  private String note(String name) {
    SourceNote note = tree.notes().get(new ObjectKey("Service", "default", name));
    return note == null ? "" : note.reason() + " " + note.message();
  }

  private void file(String name, State state, String... objects) {
    List<ConfigObject> read =
        Arrays.stream(objects)
            .map(object -> object.split(":", -1))
            .map(object -> object(name, object[0], Integer.parseInt(object[1])))
            .toList();
    boolean fine = state == State.COMPLETE || state == State.BLANK;
    List<LocatedProblem> problems =
        fine
            ? List.of()
            : List.of(
                new LocatedProblem(
                    new Problem("", Problem.Kind.UNDECODABLE, "bad"), Position.of(name)));
    files.put(name, new FileResult(read, problems, state));
  }

  private static ConfigObject object(String file, String name, int port) {
    Documents documents =
        YamlReader.read(file, Yaml.service(name, port).getBytes(StandardCharsets.UTF_8));
    return ObjectReader.read(documents.documents().get(0)).objects().get(0);
  }

  private void look() {
    tree = tree.after(scan());
  }

  private ScanResult scan() {
    return new ScanResult(files, unreadable, List.of(), List.of());
  }

  private List<String> held() {
    List<String> held = new ArrayList<>();
    for (String port : List.of("1", "2", "3")) {
      tree.objects()
          .forEach(
              (ObjectKey key, ConfigObject object) -> {
                String body = object.body().fields().toString();
                if (body.contains("Scalar[value=" + port + ",")) {
                  held.add(key.name() + ":" + port);
                }
              });
    }
    held.sort(null);
    return held;
  }
}
