// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.interop.docs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.holdfast.interop.TestSources;
import dev.holdfast.interop.envoy.EnvoyBinary;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.opentest4j.TestAbortedException;

/**
 * Every command that a page shows in a block of {@code sh} or {@code console} does what the page
 * says: the blocks of a page run in order, in one shell, in a {@link Scratch}. A page that starts a
 * server has ports of its own; all others share one server for examples/shop. {@link Block.How} has
 * the comments that can stand above a block. {@code -Dtest.args=-Ddocs.page=quickstart} runs only
 * the pages whose path has this in it.
 */
@Execution(ExecutionMode.CONCURRENT)
class DocsRunTest {
  private static final Path ROOT = TestSources.repositoryRoot();

  /** A page that needs more of these than others should say it in another way. */
  private static final int MOST_NOT_RUN = 30;

  private static final Block.Step SERVE =
      new Block.Step(1, "./holdfast serve examples/shop", List.of());

  private static final Block.Mark NEEDS_ENVOY = new Block.Mark(Block.How.NEEDS, "envoy");

  @TempDir static Path directory;

  private static final Ports SHARED_PORTS = new Ports();
  private static final AtomicInteger COUNT = new AtomicInteger();

  @SuppressWarnings("NullAway.Init")
  private static Terminal server;

  static List<Path> pages() throws IOException {
    List<Path> pages = new ArrayList<>();
    String wanted = System.getProperty("docs.page", "");
    for (Path page : Pages.all(ROOT)) {
      if (page.toString().contains(wanted)
          && !Pages.isManual(page)
          && !Block.of(Files.readString(page)).isEmpty()) {
        pages.add(ROOT.relativize(page));
      }
    }
    return pages;
  }

  @BeforeAll
  static void startTheSharedServer() throws Exception {
    server = new Terminal(scratch(SHARED_PORTS), Map.of());
    Terminal.Went went = server.runUntil(SERVE, SHARED_PORTS, "holdfast ready");
    assertThat(went.exitCode()).as(went.toString()).isNull();
  }

  @AfterAll
  static void stopTheSharedServer() {
    server.close();
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("pages")
  void theCommandsOfAPageDoWhatItSays(Path page) throws Exception {
    List<Block> blocks = Block.of(Files.readString(ROOT.resolve(page)));
    boolean own = blocks.stream().anyMatch(DocsRunTest::servesItself);
    Ports ports = own ? new Ports() : SHARED_PORTS;
    try (PageCluster cluster = PageCluster.of(blocks);
        Terminal terminal = new Terminal(scratch(ports), cluster.environment())) {
      for (Block block : blocks) {
        if (block.mark().equals(NEEDS_ENVOY)) {
          assumeTrue(envoy().isPresent(), page + ":" + block.line() + ": no Envoy");
        }
        if (block.mark().how() != Block.How.NOT_RUN) {
          for (Block.Step step : block.steps()) {
            run(terminal, page, block, step, ports);
          }
        }
      }
    }
  }

  private static boolean servesItself(Block block) {
    return block.mark().how() != Block.How.NOT_RUN
        && String.join("\n", block.lines()).contains("holdfast serve ");
  }

  private static void run(Terminal terminal, Path page, Block block, Block.Step step, Ports ports)
      throws Exception {
    Attempt last = new Attempt(terminal, block, step, ports);
    if (step.output().isEmpty()) {
      last.go();
    } else {
      last.repeat();
    }
    assertThat(last.complaint)
        .as(
            "%s:%d:%n%s%nwhich got as far as %s and printed:%n%s",
            page, step.line(), step.script().indent(4), last.lastCommand(), last.printed())
        .isEmpty();
  }

  @Test
  void whatIsNotRunHasAReasonAndIsLittle() throws IOException {
    List<String> notRun = new ArrayList<>();
    for (Path page : pages()) {
      for (Block block : Block.of(Files.readString(ROOT.resolve(page)))) {
        if (block.mark().how() == Block.How.NOT_RUN) {
          notRun.add(page + ":" + block.line() + ": " + block.mark().value());
        }
      }
    }

    assertThat(notRun).allMatch(line -> line.matches(".*: .{10,}")).hasSizeLessThan(MOST_NOT_RUN);
  }

  private static Scratch scratch(Ports ports) throws IOException {
    Path place = Files.createDirectory(directory.resolve("checkout-" + COUNT.incrementAndGet()));
    return Scratch.make(place, ROOT, ports, envoy());
  }

  private static Optional<Path> envoy() {
    try {
      return Optional.of(EnvoyBinary.find());
    } catch (TestAbortedException e) {
      return Optional.empty();
    }
  }
}
