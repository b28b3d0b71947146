// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.benchmarks.servers;

import static java.util.Objects.requireNonNull;

import io.envoyproxy.envoy.config.cluster.v3.Cluster;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.io.Writer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** A server in a process of its own: a JVM, or a program in Go. */
public final class ServerProcess implements AutoCloseable {
  /** The same for all of them. */
  public static final List<String> JVM = List.of("-Xms1g", "-Xmx1g", "-XX:+UseG1GC");

  /** Where nothing is measured, and many are started. */
  public static final List<String> SMALL_JVM =
      List.of("-Xmx256m", "-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1");

  private final Process process;
  private final BufferedReader out;
  private final Writer in;
  private final int port;

  /** How many clusters there are, if the server does not know by itself which they are; else 0. */
  private final int told;

  private int changes;

  private ServerProcess(Process process, int told) throws IOException {
    this.process = process;
    this.told = told;
    this.out = process.inputReader(StandardCharsets.UTF_8);
    this.in = process.outputWriter(StandardCharsets.UTF_8);
    if (told > 0) {
      for (Cluster cluster : Clusters.of(told)) {
        in.write("cluster " + encoded(cluster) + "\n");
      }
      in.write("listen\n");
      in.flush();
    }
    this.port = Integer.parseInt(readLine());
  }

  /** The program of {@link Side#PEER_IN_GO}; null if it could not be built here. */
  public static @Nullable Path peerInGo() {
    String path = System.getenv("GO_PEER");
    return path == null || path.isEmpty() ? null : Path.of(path);
  }

  public static ServerProcess start(Side side, int clusters, List<String> jvm) {
    if (side == Side.PEER_IN_GO) {
      return start(List.of(requireNonNull(peerInGo()).toString()), clusters);
    }
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(jvm);
    command.add("-Dslf4j.internal.verbosity=ERROR");
    command.add("-cp");
    command.add(System.getProperty("java.class.path"));
    command.add(ServerMain.class.getName());
    command.addAll(List.of(side.name(), Integer.toString(clusters)));
    return start(command, /* told= */ 0);
  }

  private static ServerProcess start(List<String> command, int told) {
    try {
      return new ServerProcess(
          new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.INHERIT).start(), told);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  public int port() {
    return port;
  }

  /** The bytes of all reachable objects, once so many requests came in since the start. */
  public long heap(long requests) {
    return Long.parseLong(ask("heap " + requests));
  }

  /** Changes one cluster and waits until so many requests came in. */
  public Exchange change(int answers) {
    changes++;
    int index = told == 0 ? 0 : Clusters.index(changes, told);
    String[] numbers =
        ask("change " + answers + given(index, () -> Clusters.cluster(index, changes)))
            .split(" ", -1);
    return new Exchange(Long.parseLong(numbers[0]), Long.parseLong(numbers[1]));
  }

  /** Makes one cluster bad. */
  public void spoil() {
    ask("spoil" + given(0, Clusters::bad));
  }

  /** What a server is told that does not know it by itself. */
  private String given(int index, Supplier<Cluster> cluster) {
    return told == 0 ? "" : " " + index + " " + encoded(cluster.get());
  }

  private static String encoded(Cluster cluster) {
    return Base64.getEncoder().encodeToString(cluster.toByteArray());
  }

  private String ask(String line) {
    try {
      in.write(line + "\n");
      in.flush();
      return readLine();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private String readLine() throws IOException {
    String line = out.readLine();
    if (line == null) {
      throw new IOException("the server ended");
    }
    return line;
  }

  @Override
  public void close() {
    try {
      in.close();
      if (!process.waitFor(10, TimeUnit.SECONDS)) {
        process.destroyForcibly();
      }
    } catch (IOException e) {
      process.destroyForcibly();
    } catch (InterruptedException e) {
      process.destroyForcibly();
      Thread.currentThread().interrupt();
    }
  }

  /**
   * What a change took.
   *
   * @param nanos until the last answer was there
   * @param cpuNanos of the whole server, all its threads together
   */
  public record Exchange(long nanos, long cpuNanos) {
    public double millis() {
      return nanos / 1e6;
    }

    public double cpuMillis() {
      return cpuNanos / 1e6;
    }
  }
}
