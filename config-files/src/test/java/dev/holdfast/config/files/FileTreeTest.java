// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.config.files;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.base.Problem;
import dev.holdfast.config.ConfigObject;
import dev.holdfast.config.LocatedProblem;
import dev.holdfast.config.ObjectKey;
import dev.holdfast.config.Position;
import dev.holdfast.config.files.FileResult.State;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

/** What a tree of files holds after each look at it. */
class FileTreeTest {
  private final SortedMap<String, FileResult> files = new TreeMap<>();
  private final List<String> unreadable = new ArrayList<>();
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
            "t/a.yaml: file is empty and its objects stay (expected: objects; delete the file, or"
                + " leave a comment in it, to remove them)");
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
  void whatAFileSaysGoesBeforeWhatAnotherOnlyHeld() {
    file("t/a.yaml", State.COMPLETE, "x:1", "y:1");
    look();
    file("t/a.yaml", State.BROKEN);
    file("t/b.yaml", State.COMPLETE, "x:2");
    look();

    assertThat(held()).containsExactly("x:2", "y:1");
    assertThat(tree.problems()).hasSize(1);
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
    tree = tree.after(new ScanResult(files, unreadable, List.of(), List.of()));
  }

  private List<String> held() {
    List<String> held = new ArrayList<>();
    for (String port : List.of("1", "2")) {
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
