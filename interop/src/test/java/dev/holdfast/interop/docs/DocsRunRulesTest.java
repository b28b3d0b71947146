// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.interop.docs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import org.junit.jupiter.api.Test;

/** How a page is cut into commands, and what counts as the output that it shows. */
class DocsRunRulesTest {

  @Test
  void blocksHaveTheirLinesAndTheCommentAboveThem() {
    List<Block> blocks =
        Block.of(
            """
            # A page
            ```sh
            a
            ```
            ```yaml
            b: c
            ```
            <!-- test: until: it is up -->
            ```console
            $ d
            ```
            """);

    assertThat(blocks).hasSize(2);
    assertThat(blocks.get(0)).isEqualTo(new Block(3, List.of("a"), Block.Mark.NONE));
    assertThat(blocks.get(1).line()).isEqualTo(10);
    assertThat(blocks.get(1).mark()).isEqualTo(new Block.Mark(Block.How.UNTIL, "it is up"));
  }

  @Test
  void aCommentThatMeansNothingIsNotIgnored() {
    assertThatThrownBy(() -> Block.of("<!-- test: skip -->\n```sh\na\n```\n"))
        .hasMessageContaining("test: skip --> (expected:");
  }

  @Test
  void aPromptBeginsACommandAndWhatFollowsIsItsOutput() {
    Block block = new Block(7, List.of("$ a \\", "    -b", "one", "two", "$ c"), Block.Mark.NONE);

    assertThat(block.steps())
        .containsExactly(
            new Block.Step(7, "a \\\n    -b", List.of("one", "two")),
            new Block.Step(11, "c", List.of()));
  }

  @Test
  void withoutAPromptTheWholeBlockIsCommands() {
    Block block = new Block(7, List.of("a", "b"), Block.Mark.NONE);

    assertThat(block.steps()).containsExactly(new Block.Step(7, "a\nb", List.of()));
  }

  @Test
  void outputIsComparedByLinesButForColumnsTimesAndDots() {
    List<String> actual = List.of("NAME   AGE", "noise", "web    1m30s", "done: abc123 (ok)");

    assertThat(Output.missing(List.of("NAME  AGE", "web  5s", "done: ... (ok)"), actual)).isEmpty();
    assertThat(Output.missing(List.of("web  5s", "NAME  AGE"), actual)).isEqualTo("NAME  AGE");
    assertThat(Output.missing(List.of("web  5"), actual)).isEqualTo("web  5");
    assertThat(Output.missing(List.of("done: ... (no)"), actual)).isEqualTo("done: ... (no)");
  }

  @Test
  void portsAreReplacedWhereTheyStandAlone() {
    Ports ports = new Ports();
    String xds = Integer.toString(ports.inPlaceOf(Ports.XDS));

    assertThat(ports.put("localhost:18000 118000 1.18000 8081"))
        .isEqualTo("localhost:" + xds + " 118000 1.18000 8081");
  }
}
