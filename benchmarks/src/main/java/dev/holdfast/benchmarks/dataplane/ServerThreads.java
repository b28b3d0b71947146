// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.benchmarks.dataplane;

import com.sun.management.ThreadMXBean;
import io.grpc.InsecureServerCredentials;
import io.grpc.ServerCredentials;
import io.grpc.netty.shaded.io.grpc.netty.NettyServerBuilder;
import io.grpc.netty.shaded.io.netty.channel.MultiThreadIoEventLoopGroup;
import io.grpc.netty.shaded.io.netty.channel.nio.NioIoHandler;
import io.grpc.netty.shaded.io.netty.channel.socket.nio.NioServerSocketChannel;
import java.lang.management.ManagementFactory;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.concurrent.Executors;
import java.util.concurrent.ThreadFactory;

/** The threads of the servers, which are told from those of the clients by their names. */
final class ServerThreads {
  private static final String PREFIX = "benchmark-server";
  private static final ThreadMXBean THREADS = (ThreadMXBean) ManagementFactory.getThreadMXBean();
  private static final ThreadFactory FACTORY =
      task -> {
        Thread thread = new Thread(task, PREFIX);
        thread.setDaemon(true);
        return thread;
      };
  private static final MultiThreadIoEventLoopGroup NETWORK =
      new MultiThreadIoEventLoopGroup(2, FACTORY, NioIoHandler.newFactory());

  private ServerThreads() {}

  /** A server on a port of the system's choosing that uses no threads but these. */
  static NettyServerBuilder server() {
    return server(InsecureServerCredentials.create());
  }

  static NettyServerBuilder server(ServerCredentials credentials) {
    return NettyServerBuilder.forAddress(
            new InetSocketAddress(InetAddress.getLoopbackAddress(), /* port= */ 0), credentials)
        .bossEventLoopGroup(NETWORK)
        .workerEventLoopGroup(NETWORK)
        .channelType(NioServerSocketChannel.class)
        .executor(Executors.newFixedThreadPool(2, FACTORY));
  }

  static ThreadFactory factory() {
    return FACTORY;
  }

  /** What all threads have allocated so far that still live, but for these. */
  static long clientBytes() {
    long bytes = 0;
    for (long id : THREADS.getAllThreadIds()) {
      var info = THREADS.getThreadInfo(id);
      if (info != null && !info.getThreadName().startsWith(PREFIX)) {
        bytes += Math.max(0, THREADS.getThreadAllocatedBytes(id));
      }
    }
    return bytes;
  }

  /** What all other threads have used so far, but for the caller's. */
  static long clientNanos() {
    long nanos = 0;
    for (long id : THREADS.getAllThreadIds()) {
      var info = THREADS.getThreadInfo(id);
      if (info != null
          && id != Thread.currentThread().getId()
          && !info.getThreadName().startsWith(PREFIX)) {
        nanos += Math.max(0, THREADS.getThreadCpuTime(id));
      }
    }
    return nanos;
  }
}
