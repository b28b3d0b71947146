// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.cli.output;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintStream;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

class ConsoleTest {
  private final ByteArrayOutputStream out = new ByteArrayOutputStream();
  private final ByteArrayOutputStream err = new ByteArrayOutputStream();

  @Test
  void aLineIsThereAsSoonAsItIsPrinted() {
    Console console = new Console(new PrintStream(out), new PrintStream(err));

    console.print("größe");
    console.note("two\nlines");

    assertThat(out.toString(UTF_8)).isEqualTo("größe\n");
    assertThat(err.toString(UTF_8)).isEqualTo("holdfast: two\\nlines\n");
  }

  @Test
  void linesOfManyThreadsDoNotMix() throws InterruptedException {
    Console console = new Console(new PrintStream(out), new PrintStream(err));
    CountDownLatch start = new CountDownLatch(1);
    List<Thread> threads = new ArrayList<>();
    for (char c = 'a'; c < 'i'; c++) {
      String line = String.valueOf(c).repeat(200);
      Thread thread =
          new Thread(
              () -> {
                try {
                  start.await();
                } catch (InterruptedException e) {
                  throw new IllegalStateException(e);
                }
                for (int i = 0; i < 50; i++) {
                  console.print(List.of(line, line));
                }
              });
      thread.start();
      threads.add(thread);
    }

    start.countDown();
    for (Thread thread : threads) {
      thread.join();
    }

    List<String> lines = out.toString(UTF_8).lines().toList();
    assertThat(lines).hasSize(8 * 50 * 2).allMatch(line -> line.matches("(.)\\1{199}"));
    for (int i = 0; i < lines.size(); i += 2) {
      assertThat(lines.get(i)).isEqualTo(lines.get(i + 1));
    }
  }

  @Test
  void somebodyIsToldWhenNobodyReadsAnyMore() {
    AtomicInteger broken = new AtomicInteger();
    OutputStream closed =
        new OutputStream() {
          @Override
          public void write(int b) throws IOException {
            throw new IOException("Broken pipe");
          }
        };
    Console console =
        new Console(new PrintStream(closed), new PrintStream(err), broken::incrementAndGet);

    console.print("line");

    assertThat(broken).hasValue(1);
  }
}
