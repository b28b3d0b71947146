// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.interop.serve.foreign;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.holdfast.base.SystemTime;
import dev.holdfast.cli.Main;
import dev.holdfast.cli.Shell;
import java.io.BufferedReader;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;

/** A gRPC client of another language, run by {@code interop/bin/grpc-client}. */
public final class ForeignClient implements Caller {
  private static final int PATIENCE_SECONDS = 60;

  private final Process process;
  private final BlockingQueue<String> lines = new LinkedBlockingQueue<>();

  private ForeignClient(Process process) {
    this.process = process;
    Thread reader = new Thread(this::read, "reader of a gRPC client");
    reader.setDaemon(true);
    reader.start();
  }

  /**
   * Starts a client that calls a host. Where its libraries are not installed, the test is skipped;
   * tests never fetch. {@code HOLDFAST_REQUIRE=grpc-clients} makes that a failure.
   *
   * @param bootstrap the content of its bootstrap file
   */
  public static ForeignClient start(
      String language, String host, String bootstrap, Path directory) {
    return start(language, host, bootstrap, directory, Map.of());
  }

  /** The same with more variables in its environment. */
  public static ForeignClient start(
      String language,
      String host,
      String bootstrap,
      Path directory,
      Map<String, String> environment) {
    try {
      Path script = script();
      Process find =
          new ProcessBuilder(script.toString(), "--find", language)
              .redirectErrorStream(true)
              .start();
      String said =
          new String(find.getInputStream().readAllBytes(), StandardCharsets.UTF_8).strip();
      boolean found = find.waitFor() == 0;
      String required = System.getenv().getOrDefault("HOLDFAST_REQUIRE", "");
      if (!found && List.of(required.split(",")).contains("grpc-clients")) {
        throw new AssertionError(said + " (required by HOLDFAST_REQUIRE)");
      }
      assumeTrue(found, said);
      Path file = Files.writeString(directory.resolve(language + ".json"), bootstrap);
      ProcessBuilder builder =
          new ProcessBuilder(script.toString(), language, host)
              .redirectError(ProcessBuilder.Redirect.INHERIT);
      builder.environment().put("GRPC_XDS_BOOTSTRAP", file.toString());
      // The only implementation that reads resource errors does so if this is set (gRFC A88).
      builder.environment().put("GRPC_EXPERIMENTAL_XDS_DATA_ERROR_HANDLING", "true");
      builder.environment().putAll(environment);
      ForeignClient client = new ForeignClient(builder.start());
      client.expect("ready");
      return client;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new AssertionError(e);
    }
  }

  /** What {@code holdfast bootstrap grpc} prints. */
  static String bootstrap(int xdsPort, String... more) {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    PrintStream printer = new PrintStream(out, true, StandardCharsets.UTF_8);
    Shell shell =
        new Shell(
            InputStream.nullInputStream(),
            printer,
            printer,
            Map.of(),
            SystemTime.instance(),
            Shell.Terminal.none());
    List<String> arguments =
        new ArrayList<>(List.of("bootstrap", "grpc", "--xds-address", "127.0.0.1:" + xdsPort));
    arguments.addAll(List.of(more));
    int code = Main.run(shell, arguments.toArray(String[]::new));
    if (code != 0) {
      throw new AssertionError(out.toString(StandardCharsets.UTF_8));
    }
    return out.toString(StandardCharsets.UTF_8);
  }

  private static Path script() {
    for (Path dir = Path.of("").toAbsolutePath(); dir != null; dir = dir.getParent()) {
      Path script = dir.resolve("interop/bin/grpc-client");
      if (Files.exists(script)) {
        return script;
      }
    }
    throw new AssertionError("no directory above this one holds interop/bin/grpc-client");
  }

  private void read() {
    try (BufferedReader out =
        new BufferedReader(
            new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8))) {
      for (String line = out.readLine(); line != null; line = out.readLine()) {
        lines.add(line);
      }
    } catch (IOException e) {
      // The process is gone; whoever waits for a line will say so.
    }
    lines.add("the process has ended");
  }

  private void expect(String line) throws InterruptedException {
    String first = lines.poll(PATIENCE_SECONDS, TimeUnit.SECONDS);
    if (!line.equals(first)) {
      throw new AssertionError("expected '" + line + "', but: " + first);
    }
  }

  @Override
  public String call(String method) {
    try {
      process.getOutputStream().write((method + "\n").getBytes(StandardCharsets.UTF_8));
      process.getOutputStream().flush();
      String answer = lines.poll(PATIENCE_SECONDS, TimeUnit.SECONDS);
      return answer == null ? "no answer" : answer;
    } catch (IOException e) {
      return "the process has ended: " + e.getMessage();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new AssertionError(e);
    }
  }

  @Override
  public void close() {
    process.destroyForcibly();
  }
}
