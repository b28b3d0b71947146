// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.cli.log;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import dev.holdfast.config.ObjectKey;
import dev.holdfast.controlplane.log.LogArea;
import dev.holdfast.server.options.LogOptions;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** What a process of its own writes into its log. */
class LogSetupTest {
  /** Logs what somebody else wrote. */
  static final class Chatty {
    private Chatty() {}

    public static void main(String[] args) {
      if (args[0].equals("get")) {
        LogSetup.configure(/* verbose= */ false);
      } else {
        LogSetup.configureServer(
            /* verbose= */ !args[0].equals("serve"),
            new LogOptions(
                args.length > 1 ? LogOptions.format(args[1]) : null,
                args.length > 2 ? LogOptions.levels(args[2]) : null));
      }
      if (args[0].equals("flooded")) {
        for (int i = 0; i < 1_000; i++) {
          java.util.logging.Logger.getLogger("io.grpc.Something")
              .log(
                  java.util.logging.Level.WARNING,
                  "Exception processing message",
                  new IllegalStateException("too large"));
        }
      }
      Logger log = LoggerFactory.getLogger("dev.holdfast.Chatty");
      log.info("by the way");
      log.warn("problem: {}", "a\nb\rc\u001b[31m\u202ed\u2028e \u00e4");
      if (args.length > 1) {
        ObjectKey shop = new ObjectKey("HTTPProxy", "shop", "web");
        LogArea.OBJECTS.warn("held").object(shop, 7).log("held \"here\"\n");
        LogArea.PROXIES.debug("seen").node("edge-1", "envoy").log("only with debug");
        LogArea.ROLLOUT.info("accepted").log("not with warn");
        java.util.logging.Logger.getLogger("org.example").warning("from a library");
        java.util.logging.Logger.getLogger("io.grpc.Something").warning("from gRPC");
        LogArea.ROLLOUT
            .error("internal-error")
            .cause(new IllegalStateException("x\ny"))
            .log("oops");
      }
    }
  }

  @Test
  void aServersLogHasDatesAndAnEntryIsOneLine() throws Exception {
    List<String> lines = run("serve");

    assertThat(lines).hasSize(2);
    assertThat(lines.get(0))
        .matches("[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9:.]{12}(Z|[+-][0-9:]+) INFO  Chatty: by the way");
    assertThat(lines.get(1)).endsWith(" WARN  Chatty: problem: a?b?c?[31m?d?e \u00e4");
  }

  @Test
  void othersSayOnlyWhatMatters() throws Exception {
    List<String> lines = run("get");

    assertThat(lines).hasSize(1);
    assertThat(lines.get(0)).matches("[0-9:.]{12} WARN  Chatty: problem: .*");
  }

  @Test
  void everyLineOfAJsonLogIsAnObjectWithFields() throws Exception {
    List<JsonObject> lines = new ArrayList<>();
    for (String line : run("serve", "json", "warn,proxies=debug")) {
      lines.add(JsonParser.parseString(line).getAsJsonObject());
    }

    assertThat(lines.stream().map(line -> line.get("message").getAsString()))
        .containsExactly(
            "problem: a?b?c?[31m?d?e \u00e4",
            "held \"here\"?",
            "only with debug",
            "from a library",
            "oops");
    JsonObject held = lines.get(1);
    assertThat(Instant.parse(held.remove("time").getAsString())).isAfter(Instant.EPOCH);
    assertThat(held)
        .hasToString(
            "{\"level\":\"warn\",\"area\":\"objects\",\"event\":\"held\","
                + "\"object\":\"HTTPProxy/shop/web\",\"generation\":7,"
                + "\"message\":\"held \\\"here\\\"?\"}");
    assertThat(lines.get(2).get("node").getAsString()).isEqualTo("edge-1");
    assertThat(lines.get(3).get("area").getAsString()).isEqualTo("libraries");
    assertThat(lines.get(3).get("logger").getAsString()).isEqualTo("org.example");
    assertThat(lines.get(4).get("error").getAsString())
        .startsWith("java.lang.IllegalStateException: x");
  }

  @Test
  void aVerboseServerAlsoSaysWhatGrpcSays() throws Exception {
    assertThat(run("verbose", "text", "proxies=off"))
        .anyMatch(line -> line.endsWith(" WARN  Something: from gRPC"))
        .anyMatch(line -> line.endsWith(" INFO  rollout: not with warn"))
        .noneMatch(line -> line.contains("only with debug"));
  }

  @Test
  void whatALibraryLogsForEachMessageOfAPeerIsLimited() throws Exception {
    assertThat(run("flooded"))
        .filteredOn(line -> line.contains("Exception processing message"))
        .hasSize(LineLimit.LINES_PER_MINUTE)
        .last()
        .asString()
        .endsWith(" (more lines of this logger within a minute are left out)");
  }

  private static List<String> run(String... arguments) throws Exception {
    Process process =
        new ProcessBuilder(
                Stream.concat(
                        Stream.of(
                            Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                            "-Dfile.encoding=UTF-8",
                            "-cp",
                            System.getProperty("java.class.path"),
                            Chatty.class.getName()),
                        Stream.of(arguments))
                    .toList())
            .redirectErrorStream(true)
            .start();
    String output = new String(process.getInputStream().readAllBytes(), UTF_8);
    assertThat(process.waitFor()).as(output).isZero();
    return new ArrayList<>(output.lines().toList());
  }
}
