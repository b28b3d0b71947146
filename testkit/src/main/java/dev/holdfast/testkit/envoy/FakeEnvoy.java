// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.testkit.envoy;

import com.google.protobuf.Message;
import dev.holdfast.base.Env;
import dev.holdfast.base.Loop;
import dev.holdfast.base.TimeSource;
import io.envoyproxy.envoy.config.route.v3.RouteConfiguration;
import io.envoyproxy.envoy.service.discovery.v3.DeltaDiscoveryRequest;
import io.envoyproxy.envoy.service.discovery.v3.DiscoveryRequest;
import io.grpc.Grpc;
import io.grpc.InsecureChannelCredentials;
import io.grpc.ManagedChannel;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * An ADS client that takes configuration as Envoy does, traps included: what is lost when a part of
 * a response is bad, when answers are held back or merged, what goes live without being complete.
 * No request goes through it; {@link #route} says what would become of one.
 *
 * <p>It runs on the executor and the clock that it is given, on a manual clock in one thread. Its
 * methods may be called by any thread.
 */
public final class FakeEnvoy implements AutoCloseable {
  private static final long PATIENCE_SECONDS = 60;

  private final EnvoyOptions options;
  private final Env env;
  private final AdsTransport transport;
  private final Runnable onClose;
  private final Loop loop;

  /** Counts restarts; what belongs to an earlier one is void. */
  private final AtomicInteger run = new AtomicInteger();

  // All of this is guarded by "this".
  private final List<ReceivedResponse> received = new ArrayList<>();
  private final ArrayDeque<Message> inbox = new ArrayDeque<>();
  private final List<Runnable> outbox = new ArrayList<>();

  /** What came due while it hung: a thread that hangs runs no timers. */
  private final List<Runnable> overdue = new ArrayList<>();

  private AnswerMode conduct = AnswerMode.PROMPT;
  private EnvoyRun core;
  private AdsTransport.@Nullable Stream stream;
  private boolean closed;
  private @Nullable Throwable broken;

  private FakeEnvoy(EnvoyOptions options, Env env, AdsTransport transport, Runnable onClose) {
    this.options = options;
    this.env = env;
    this.transport = transport;
    this.onClose = onClose;
    loop = new Loop(env.executor(), this::broke);
    core = new EnvoyRun(options, new Outside(0));
    turn(this::boot);
  }

  /** Starts one on a transport and clock of the caller's. */
  public static FakeEnvoy start(EnvoyOptions options, Env env, AdsTransport transport) {
    return new FakeEnvoy(options, env, transport, () -> {});
  }

  /** Starts one on the machine's own time that talks to a server on loopback, without TLS. */
  public static FakeEnvoy start(EnvoyOptions options, int port) {
    ManagedChannel channel =
        Grpc.newChannelBuilder("127.0.0.1:" + port, InsecureChannelCredentials.create()).build();
    return new FakeEnvoy(
        options, Env.system(), new GrpcAdsTransport(channel), channel::shutdownNow);
  }

  public EnvoyOptions options() {
    return options;
  }

  /** Whether it serves at all; a real one says so on {@code /ready}. */
  public synchronized boolean isReady() {
    return core.listeners.isLive();
  }

  /** What would become of a request. */
  public synchronized RequestOutcome route(Request request) {
    return new RequestTracer(core).route(request);
  }

  /** The same for a request without any headers, on whichever listener. */
  public RequestOutcome route(String host, String path) {
    return route(Request.of(host, path));
  }

  /** The routes that are in force under a name; null if there are none. */
  public synchronized @Nullable RouteConfiguration routes(String name) {
    return core.providers.routesInForce(name);
  }

  /** The routes by name that a listener uses for requests without TLS; null if there are none. */
  public synchronized @Nullable RouteConfiguration routesOf(String listener) {
    ListenerEntry entry = core.listeners.inForce(listener);
    return entry == null
        ? null
        : References.chains(entry.config).stream()
            .flatMap(chain -> References.routes(chain).stream())
            .findFirst()
            .map(reference -> core.providers.routesInForce(reference.name()))
            .orElse(null);
  }

  /** A counter or gauge by Envoy's name; 0 if there is none. */
  public synchronized long stat(String name) {
    return core.stats.get(name);
  }

  public synchronized Set<String> activeClusters() {
    return core.clusters.activeNames();
  }

  public synchronized Set<String> warmingClusters() {
    return core.clusters.warmingNames();
  }

  public synchronized Set<String> activeListeners() {
    return core.listeners.activeNames();
  }

  public synchronized Set<String> warmingListeners() {
    return core.listeners.warmingNames();
  }

  /** All responses so far, over restarts, too. */
  public synchronized List<ReceivedResponse> received() {
    return List.copyOf(received);
  }

  /** All responses of one type so far. */
  public List<ReceivedResponse> received(String type) {
    return received().stream().filter(response -> response.type().equals(type)).toList();
  }

  /** How often a resource came with exactly these bytes. */
  public long timesReceived(ReceivedResponse.Entry entry) {
    return times(received(), entry);
  }

  /** The same since it came in a response, which counts. */
  public long timesReceivedSince(ReceivedResponse response, ReceivedResponse.Entry entry) {
    List<ReceivedResponse> all = received();
    return times(all.subList(all.indexOf(response), all.size()), entry);
  }

  private static long times(List<ReceivedResponse> responses, ReceivedResponse.Entry entry) {
    return responses.stream()
        .flatMap(response -> response.resources().stream())
        .filter(entry::equals)
        .count();
  }

  /** From now on behaves like this; what has piled up meanwhile is read. */
  public void conduct(AnswerMode how) {
    turn(
        () -> {
          conduct = how;
          while (!inbox.isEmpty() && conduct.kind() != AnswerMode.Kind.HANGING) {
            read();
          }
          if (conduct.kind() != AnswerMode.Kind.HANGING) {
            List<Runnable> tasks = List.copyOf(overdue);
            overdue.clear();
            tasks.forEach(Runnable::run);
          }
        });
  }

  /** Loses its stream, and opens another after a while. */
  public void disconnect() {
    turn(
        () -> {
          AdsTransport.Stream old = stream;
          if (old != null) {
            old.cancel();
          }
          lost(old);
        });
  }

  /** Starts over with nothing, as a new process does. */
  public void restart() {
    turn(
        () -> {
          if (stream != null) {
            stream.cancel();
          }
          stream = null;
          run.incrementAndGet();
          conduct = AnswerMode.PROMPT;
          inbox.clear();
          outbox.clear();
          overdue.clear();
          core = new EnvoyRun(options, new Outside(run.get()));
          boot();
        });
  }

  /** Waits until something is true of it; for tests on the machine's own time. */
  public synchronized void await(String what, Predicate<FakeEnvoy> condition) {
    long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(PATIENCE_SECONDS);
    try {
      while (!condition.test(this)) {
        long left = end - System.nanoTime();
        if (left <= 0) {
          throw new AssertionError("not within " + PATIENCE_SECONDS + " s: " + what);
        }
        TimeUnit.NANOSECONDS.timedWait(this, left);
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new AssertionError("interrupted while waiting for: " + what, e);
    }
  }

  /** Goes away; throws if anything in it ever broke. */
  @Override
  public void close() {
    Throwable cause;
    synchronized (this) {
      closed = true;
      run.incrementAndGet();
      if (stream != null) {
        stream.cancel();
      }
      cause = broken;
    }
    onClose.run();
    if (cause != null) {
      throw new AssertionError("the fake Envoy broke", cause);
    }
  }

  private void boot() {
    core.start();
    connect();
  }

  private void connect() {
    int current = run.get();
    AdsTransport.Stream[] opened = new AdsTransport.Stream[1];
    opened[0] =
        transport.open(
            options.delta(),
            new AdsTransport.Receiver() {
              @Override
              public void onResponse(Message response) {
                turn(current, () -> arrived(response));
              }

              @Override
              public void onEnd() {
                turn(current, () -> lost(opened[0]));
              }
            });
    stream = opened[0];
    core.mux.connected();
  }

  private void lost(AdsTransport.@Nullable Stream which) {
    if (which != null && which == stream) {
      stream = null;
      inbox.clear();
      outbox.clear();
      new Outside(run.get()).schedule(options.retryDelay(), this::connect);
    }
  }

  private void arrived(Message response) {
    inbox.add(response);
    switch (conduct.kind()) {
      case HANGING -> {}
      case SLOW -> new Outside(run.get()).schedule(conduct.delay(), this::read);
      default -> read();
    }
  }

  private void read() {
    Message response = inbox.poll();
    if (response == null) {
      return;
    }
    try {
      received.add(core.receive(response));
    } catch (Validator.Hang e) {
      received.add(ReceivedResponse.of(response));
      conduct = AnswerMode.HANGING;
      outbox.clear();
    }
  }

  private void due(Runnable task) {
    if (conduct.kind() == AnswerMode.Kind.HANGING) {
      overdue.add(task);
    } else {
      task.run();
    }
  }

  private void turn(Runnable task) {
    turn(run.get(), task);
  }

  /** Does something in turn, if the run that it belongs to is not over. */
  private void turn(int forRun, Runnable task) {
    loop.execute(
        () -> {
          List<Runnable> sends;
          synchronized (this) {
            if (closed || forRun != run.get()) {
              return;
            }
            task.run();
            sends = List.copyOf(outbox);
            outbox.clear();
            notifyAll();
          }
          sends.forEach(Runnable::run);
        });
  }

  private synchronized void broke(Throwable cause) {
    if (!closed && broken == null) {
      broken = cause;
    }
  }

  private static boolean isAnswer(Message request) {
    return request instanceof DiscoveryRequest sotw
        ? !sotw.getResponseNonce().isEmpty()
        : !((DeltaDiscoveryRequest) request).getResponseNonce().isEmpty();
  }

  /** The outside of one run. */
  private final class Outside implements EnvoyContext {
    private final int forRun;

    Outside(int forRun) {
      this.forRun = forRun;
    }

    @Override
    public TimeSource.Timer schedule(Duration delay, Runnable task) {
      return env.time().schedule(delay, () -> turn(forRun, () -> due(task)));
    }

    @Override
    public void send(Message request) {
      AdsTransport.Stream target = stream;
      boolean withheld = conduct.kind() == AnswerMode.Kind.SILENT && isAnswer(request);
      if (target != null && !withheld) {
        outbox.add(() -> target.send(request));
      }
    }

    @Override
    public boolean isConnected() {
      return stream != null;
    }
  }
}
