// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.interop.dataplane;

import io.grpc.Grpc;
import io.grpc.InsecureChannelCredentials;
import io.grpc.ManagedChannel;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;

/**
 * Makes calls on channels to the targets it is given, shuts them down, and prints what is left of
 * them: threads, after those have had time to end, and what was written to standard error.
 */
public final class LeftoversMain {
  private LeftoversMain() {}

  public static void main(String[] args) throws InterruptedException {
    ByteArrayOutputStream errors = new ByteArrayOutputStream();
    System.setErr(new PrintStream(errors, /* autoFlush= */ true, StandardCharsets.UTF_8));
    Set<Thread> before = Thread.getAllStackTraces().keySet();
    for (String target : args) {
      ManagedChannel channel =
          Grpc.newChannelBuilder(target, InsecureChannelCredentials.create()).build();
      System.out.println("outcome " + Rpc.call(channel).code());
      channel.shutdown();
      if (!channel.awaitTermination(60, TimeUnit.SECONDS)) {
        System.out.println("not terminated");
      }
    }
    Set<String> left = left(before);
    for (int i = 0; i < 200 && !left.isEmpty(); i++) {
      TimeUnit.MILLISECONDS.sleep(100);
      left = left(before);
    }
    System.out.println("threads " + left);
    List<String> lines = errors.toString(StandardCharsets.UTF_8).lines().toList();
    System.out.println("lines " + lines);
  }

  /** The JDK's common pool belongs to everybody in the process. */
  private static Set<String> left(Set<Thread> before) {
    Set<Thread> now = new HashSet<>(Thread.getAllStackTraces().keySet());
    now.removeAll(before);
    Set<String> names = new TreeSet<>();
    for (Thread thread : now) {
      if (!thread.getName().startsWith("ForkJoinPool.commonPool-")) {
        names.add(thread.getName());
      }
    }
    return names;
  }
}
