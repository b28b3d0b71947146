// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.benchmarks.client;

import io.grpc.KnownLength;
import io.grpc.Status;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import org.jspecify.annotations.Nullable;

/**
 * The server's end of one aggregated discovery stream, in memory. It takes and gives bytes, so a
 * client pays for parsing every response and serialising every request, as on a socket.
 *
 * <p>The wire looks at requests to tell what they mean. That is no work of the client's, so the
 * wire's clock stands still meanwhile.
 */
public final class Wire {
  private final Protocol protocol;
  private final WireThread thread;

  // Under the lock of this object: a client may send from the thread that watches.
  private @Nullable End end;
  private boolean connected;
  private int credit;
  private byte @Nullable [] waiting;
  private Traffic traffic = new Traffic(0, 0, 0);
  private int subscribed;
  private long subscribedAt;
  private long standstill;
  private @Nullable Exchange exchange;
  private @Nullable String failure;

  Wire(Protocol protocol, WireThread thread) {
    this.protocol = protocol;
    this.thread = thread;
  }

  /** The client's end. Called on the wire's thread. */
  interface End {
    /** The stream is ready: what was sent has left. */
    void connected();

    /** A serialised response. */
    void receive(InputStream response);
  }

  /**
   * What the client has sent so far.
   *
   * @param names in all requests together
   */
  public record Traffic(long requests, long names, long bytes) {
    public Traffic minus(Traffic earlier) {
      return new Traffic(requests - earlier.requests, names - earlier.names, bytes - earlier.bytes);
    }
  }

  // For the client.

  synchronized void open(End end) {
    if (this.end != null) {
      failure = "the client opened a second stream";
    }
    this.end = end;
    if (connected) {
      thread.execute(end::connected);
    }
  }

  synchronized boolean isConnected() {
    return connected;
  }

  void send(InputStream request) {
    byte[] serialized = readFully(request);
    synchronized (this) {
      long now = now();
      long start = System.nanoTime();
      Request scanned = Request.scan(protocol, serialized);
      standstill += System.nanoTime() - start;
      traffic =
          new Traffic(
              traffic.requests + 1,
              traffic.names + scanned.names(),
              traffic.bytes + serialized.length);
      subscribed = protocol == Protocol.DELTA ? subscribed + scanned.names() : scanned.names();
      subscribedAt = now;
      if (exchange != null) {
        exchange.requested(scanned, now);
      }
      notifyAll();
    }
  }

  synchronized void allowRead() {
    credit++;
    if (waiting != null) {
      deliver();
    } else if (exchange != null) {
      exchange.readAllowed(now());
    }
  }

  synchronized void called() {
    if (exchange != null) {
      exchange.called(now());
    }
  }

  /**
   * A watcher heard of an error. Outside of an exchange that may be: on a slow machine the time for
   * resources that nobody is going to send runs out.
   */
  synchronized void calledWithError(Status error) {
    if (exchange != null) {
      exchange.fail("a watcher was told of " + error);
    }
  }

  /** The client is broken. */
  synchronized void failed(String why) {
    failure = why;
    if (exchange != null) {
      exchange.fail(why);
    }
    notifyAll();
  }

  // For the benchmark.

  /** Lets the connection that the client is waiting for come up. */
  public synchronized void connect() {
    connected = true;
    if (end != null) {
      thread.execute(end::connected);
    }
  }

  /** A reading of the clock by which everything on this wire is timed. */
  public synchronized long now() {
    return System.nanoTime() - standstill;
  }

  public synchronized Traffic traffic() {
    return traffic;
  }

  /** Waits until the client is subscribed to this many resources; returns since when it is. */
  public synchronized long awaitSubscribed(int names) {
    while (subscribed < names && failure == null) {
      try {
        wait(60_000);
      } catch (InterruptedException e) {
        throw new IllegalStateException("interrupted", e);
      }
    }
    check();
    return subscribedAt;
  }

  /** Sends a response and waits for everything that must come of it. */
  public Measured exchange(Response response, int callbacks) {
    Exchange current = new Exchange(response.nonce(), callbacks);
    long allocated = thread.allocatedBytes();
    long cpu = thread.cpuNanos();
    long start;
    long standstillBefore;
    synchronized (this) {
      check();
      exchange = current;
      waiting = response.serialized();
      start = now();
      standstillBefore = standstill;
      deliver();
    }
    current.await();
    thread.drain(); // a callback too many would show now
    synchronized (this) {
      exchange = null;
      return new Measured(
          current.end() - start,
          thread.cpuNanos() - cpu - (standstill - standstillBefore),
          thread.allocatedBytes() - allocated);
    }
  }

  private void check() {
    if (failure != null) {
      throw new IllegalStateException(failure);
    }
  }

  private void deliver() {
    byte[] response = waiting;
    End receiver = end;
    if (credit > 0 && response != null && receiver != null) {
      credit--;
      waiting = null;
      thread.execute(() -> receiver.receive(new Bytes(response)));
    }
  }

  /** The bytes of a stream that knows how many it has. */
  static byte[] readFully(InputStream message) {
    try {
      byte[] serialized = new byte[message.available()];
      message.readNBytes(serialized, 0, serialized.length);
      return serialized;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /**
   * A message as gRPC's transports hand it to the marshaller, which takes a short cut for these.
   */
  private static final class Bytes extends ByteArrayInputStream implements KnownLength {
    Bytes(byte[] bytes) {
      super(bytes);
    }
  }
}
