// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.testkit;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;

/** A socket that accepts every connection and never reads or writes on any. */
final class SilentServer implements AutoCloseable {
  private final ServerSocket listening;
  private final Thread thread;
  private final Queue<Socket> accepted = new ConcurrentLinkedQueue<>();

  SilentServer(int port) {
    try {
      listening = new ServerSocket();
      listening.setReuseAddress(true);
      listening.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), port));
    } catch (IOException e) {
      throw new UncheckedIOException("port: " + port + " (expected: free on loopback)", e);
    }
    thread = new Thread(this::acceptAll, "mute-server-" + port);
    thread.setDaemon(true);
    thread.start();
  }

  private void acceptAll() {
    while (!listening.isClosed()) {
      try {
        accepted.add(listening.accept());
      } catch (IOException e) {
        break; // closed
      }
    }
    accepted.forEach(SilentServer::closeQuietly);
  }

  @Override
  public void close() {
    closeQuietly(listening);
    try {
      thread.join(); // The port is free only when nobody is about to accept on it.
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private static void closeQuietly(AutoCloseable socket) {
    try {
      socket.close();
    } catch (Exception e) {
      // Nobody is interested any more.
    }
  }
}
