// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.benchmarks.proxies;

import static java.util.Objects.requireNonNull;

import dev.holdfast.benchmarks.client.Protocol;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** Proxies, each with a connection and a stream of its own, all read by one thread. */
public final class Proxies implements AutoCloseable {
  private static final long PATIENCE_SECONDS = 120;
  private static final int BUFFER = 1 << 20;
  private static final AtomicInteger IDS = new AtomicInteger();

  private final int port;
  private final Protocol protocol;
  private final List<Subscription> asks;
  private final @Nullable Function<ReceivedResponse, @Nullable String> judge;
  private final Selector selector;
  private final Thread thread;
  private final List<Connection> connections = new ArrayList<>();
  private final Object lock = new Object();

  // Guarded by the lock.
  private long responses;
  private @Nullable Exception failure;
  private boolean closed;

  /**
   * @param judge says what is wrong with a response, null if nothing is; null for proxies that
   *     accept everything without having looked at it
   */
  public Proxies(
      int port,
      Protocol protocol,
      List<Subscription> asks,
      @Nullable Function<ReceivedResponse, @Nullable String> judge) {
    this.port = port;
    this.protocol = protocol;
    this.asks = List.copyOf(asks);
    this.judge = judge;
    try {
      selector = Selector.open();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    thread = new Thread(this::run, "proxies-" + port);
    thread.setDaemon(true);
    thread.start();
  }

  /** Connects more of them, and returns when each has had an answer to all that it asked for. */
  public void connect(int more) {
    long expected = responses() + (long) more * asks.size();
    try {
      for (int i = 0; i < more; i++) {
        connect();
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    awaitResponses(expected);
  }

  private void connect() throws IOException {
    Session session = new Session();
    Connection connection =
        Connection.open(port, Requests.path(protocol), judge != null, session::onResponse);
    session.connection = connection;
    connections.add(connection);
    String id = "proxy-" + IDS.incrementAndGet();
    for (Subscription ask : asks) {
      connection.send(Requests.first(protocol, id, ask));
    }
    connection.channel().register(selector, SelectionKey.OP_READ, connection);
    selector.wakeup();
  }

  /** How many responses came, to all of them together. */
  public long responses() {
    synchronized (lock) {
      return responses;
    }
  }

  /** Waits until so many came, each of which was answered. */
  public void awaitResponses(long expected) {
    long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(PATIENCE_SECONDS);
    synchronized (lock) {
      try {
        while (responses < expected && failure == null) {
          long left = TimeUnit.NANOSECONDS.toMillis(deadline - System.nanoTime());
          if (left <= 0) {
            throw new IllegalStateException(responses + " responses (expected: " + expected + ")");
          }
          lock.wait(left);
        }
      } catch (InterruptedException e) {
        throw new IllegalStateException("interrupted", e);
      }
      if (failure != null) {
        throw new IllegalStateException("a proxy failed", failure);
      }
    }
  }

  private void run() {
    ByteBuffer buffer = ByteBuffer.allocateDirect(BUFFER);
    try {
      while (!thread.isInterrupted()) {
        selector.select();
        for (SelectionKey key : selector.selectedKeys()) {
          Connection connection = (Connection) key.attachment();
          if (connection.channel().read(buffer.clear()) < 0) {
            throw new IOException("the server closed a connection");
          }
          connection.read(buffer.flip());
        }
        selector.selectedKeys().clear();
      }
    } catch (IOException | RuntimeException e) {
      synchronized (lock) {
        failure = closed ? null : e;
        lock.notifyAll();
      }
    }
  }

  @Override
  public void close() {
    synchronized (lock) {
      closed = true;
    }
    try {
      thread.interrupt();
      selector.wakeup();
      thread.join();
      for (Connection connection : connections) {
        connection.close();
      }
      selector.close();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  /** What one proxy remembers. */
  private final class Session {
    private @Nullable Connection connection;
    private String accepted = "";

    void onResponse(ReceivedResponse received) {
      String error = judge == null ? null : judge.apply(received);
      accepted = error == null ? received.version() : accepted;
      try {
        requireNonNull(connection)
            .send(Requests.answer(protocol, received, names(received.typeUrl()), accepted, error));
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
      synchronized (lock) {
        responses++;
        lock.notifyAll();
      }
    }

    private List<String> names(String typeUrl) {
      for (Subscription ask : asks) {
        if (ask.typeUrl().equals(typeUrl)) {
          return ask.names();
        }
      }
      throw new IllegalStateException(typeUrl + " was not asked for");
    }
  }
}
