// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.benchmarks.servers;

import com.sun.management.OperatingSystemMXBean;
import dev.holdfast.benchmarks.Heap;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.lang.management.ManagementFactory;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/**
 * A server that is told what to do line by line, and answers each line with one: {@code heap
 * REQUESTS}, {@code change ANSWERS}, {@code spoil}.
 */
final class ServerMain {
  /** For what is done after the last answer came. */
  private static final long AFTERWARDS = TimeUnit.MILLISECONDS.toNanos(100);

  private static final OperatingSystemMXBean PROCESS =
      ManagementFactory.getPlatformMXBean(OperatingSystemMXBean.class);

  private final ServerUnderTest served;
  private final Port port;
  private int changes;

  private ServerMain(ServerUnderTest served) {
    this.served = served;
    this.port = served.listen();
  }

  public static void main(String... arguments) throws IOException {
    ServerMain main =
        new ServerMain(Side.valueOf(arguments[0]).serve(Integer.parseInt(arguments[1])));
    System.out.println(main.port.number());
    BufferedReader in =
        new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
    for (String line = in.readLine(); line != null; line = in.readLine()) {
      System.out.println(main.obey(line.split(" ", -1)));
    }
    main.port.close();
    main.served.close();
    System.exit(0);
  }

  private String obey(String[] words) {
    switch (words[0]) {
      case "heap":
        return heap(Long.parseLong(words[1]));
      case "change":
        return change(Integer.parseInt(words[1]));
      case "spoil":
        return spoil();
      default:
        throw new IllegalArgumentException(words[0]);
    }
  }

  private String spoil() {
    if (served instanceof ServerUnderTest.Spoilable spoilable) {
      spoilable.spoil();
      return "done";
    }
    throw new IllegalArgumentException("spoil (expected: a server whose clusters can be made bad)");
  }

  private String heap(long requests) {
    port.arrivals().await(requests);
    LockSupport.parkNanos(AFTERWARDS);
    return Long.toString(Heap.settledBytes());
  }

  private String change(int answers) {
    changes++;
    System.gc();
    long expected = port.arrivals().count() + answers;
    long cpu = PROCESS.getProcessCpuTime();
    long start = System.nanoTime();
    served.change(changes);
    port.arrivals().await(expected);
    long nanos = System.nanoTime() - start;
    LockSupport.parkNanos(AFTERWARDS);
    return nanos + " " + (PROCESS.getProcessCpuTime() - cpu);
  }
}
