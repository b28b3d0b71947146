// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.cli;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The script for the tab key, in a real shell. */
class CompletionTest {
  @TempDir Path directory;

  @Test
  void aShellCompletesCommandsOptionsAndTheirValues() throws Exception {
    Path script = script("bash");

    assertThat(complete(script, "holdfast", "des")).containsExactly("describe");
    assertThat(complete(script, "holdfast", "get", ""))
        .contains("objects", "proxies", "resources", "holds", "incidents");
    assertThat(complete(script, "./holdfast", "apply", "--wa")).containsExactly("--wait");
    assertThat(complete(script, "holdfast", "diff", "-o", "")).contains("table", "json", "yaml");
    assertThat(complete(script, "holdfast", "completion", "")).contains("bash", "zsh");
  }

  @Test
  void zshReadsTheSameScript() throws Exception {
    assertThat(script("zsh")).hasSameTextualContentAs(script("bash"));
    assertThat(Files.readString(script("zsh"))).contains("bashcompinit");
  }

  @Test
  void otherShellsAreNotKnown() {
    CapturedOutput captured = new CapturedOutput();

    assertThat(captured.run("completion", "fish")).isEqualTo(2);
    assertThat(captured.err()).contains("expected one of [bash, zsh]");
    assertThat(captured.run("completion")).isEqualTo(2);
  }

  private Path script(String shell) throws IOException {
    CapturedOutput captured = new CapturedOutput();
    assertThat(captured.run("completion", shell)).isZero();
    return Files.writeString(directory.resolve("holdfast." + shell), captured.out());
  }

  /** What bash offers for the last word. */
  private static List<String> complete(Path script, String... words) throws Exception {
    Path bash = Path.of("/bin/bash");
    assumeTrue(Files.isExecutable(bash), "no bash");
    String line = String.join(" ", words);
    String program =
        """
        set -e
        compopt() { :; }
        source '%s'
        COMP_WORDS=(%s) COMP_CWORD=%d COMP_LINE='%s' COMP_POINT=%d
        _complete_holdfast
        printf '%%s\\n' "${COMPREPLY[@]}"
        """
            .formatted(
                script,
                String.join(" ", Stream.of(words).map(word -> "'" + word + "'").toList()),
                words.length - 1,
                line,
                line.length());
    Process process =
        new ProcessBuilder(bash.toString(), "-c", program).redirectErrorStream(true).start();
    process.getOutputStream().close();
    String out = new String(process.getInputStream().readAllBytes(), UTF_8);
    assertThat(process.waitFor()).as(out).isZero();
    return out.lines().map(String::strip).filter(text -> !text.isEmpty()).toList();
  }
}
