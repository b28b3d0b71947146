// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.grpc.load;

import com.google.protobuf.ByteString;
import com.google.protobuf.InvalidProtocolBufferException;
import com.google.protobuf.Message;
import dev.holdfast.base.Loop;
import dev.holdfast.base.TimeSource;
import dev.holdfast.grpc.transport.LoadReportTransport;
import dev.holdfast.xds.client.Backoff;
import dev.holdfast.xds.client.ServerConfig;
import dev.holdfast.xds.client.XdsClientObserver;
import dev.holdfast.xds.client.transport.XdsTransport;
import io.envoyproxy.envoy.config.core.v3.Node;
import io.envoyproxy.envoy.service.load_stats.v3.LoadStatsRequest;
import io.envoyproxy.envoy.service.load_stats.v3.LoadStatsResponse;
import io.grpc.Status;
import java.time.Duration;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Reports loads to one server, from the first cluster that asks for it to the last number of the
 * last one. Only used from the loop.
 *
 * <pre>
 * state      event                       next       effect
 * waiting    the delay is over           open       a stream; its first request names the node
 * open       a response with an interval reporting  a timer for the first report
 * reporting  the timer                   reporting  a report, if the last one has left; a timer
 * reporting  another response            reporting  other clusters; another interval, another timer
 * any        the stream ends             waiting    what has not left is read again later
 * any        nothing is left to say      closed
 * </pre>
 */
final class LoadReportSession {
  /** Shorter intervals are taken for this one. */
  static final Duration SHORTEST_INTERVAL = Duration.ofMillis(100);

  /** Longer ones, too, which no timer could count. */
  private static final Duration LONGEST_INTERVAL = Duration.ofDays(1);

  /** How long after a cluster is given up the last of its calls may begin. */
  static final Duration GRACE = Duration.ofSeconds(1);

  private final ServerConfig server;
  private final Surroundings around;
  private final LoadStore store;
  private final Runnable onDone;
  private final Backoff backoff;

  private @Nullable LoadReportTransport transport;
  private @Nullable Attempt attempt;
  private TimeSource.@Nullable Timer timer;
  private TimeSource.@Nullable Timer grace;
  private boolean closed;

  /** What all sessions of a client share. */
  record Surroundings(
      Node node,
      LoadReportTransport.Factory transports,
      TimeSource time,
      Loop loop,
      XdsClientObserver observer) {}

  /**
   * @param onDone hears when nothing is left to say; may be repeated
   */
  LoadReportSession(ServerConfig server, Surroundings around, Backoff backoff, Runnable onDone) {
    this.server = server;
    this.around = around;
    store = new LoadStore(around.time()::nanoTime, () -> around.loop().execute(this::released));
    this.backoff = backoff;
    this.onDone = onDone;
  }

  void start() {
    if (closed || attempt != null) {
      return;
    }
    try {
      if (transport == null) {
        transport = around.transports().create(server);
      }
      attempt = new Attempt(transport);
    } catch (Throwable e) { // also what a class path without some class throws
      ended(Status.UNAVAILABLE.withDescription("no stream: " + e).withCause(e));
    }
  }

  LoadStore store() {
    return store;
  }

  /** A cluster is no longer used. */
  private void released() {
    if (!closed && grace == null) {
      grace =
          around
              .time()
              .schedule(
                  GRACE,
                  () ->
                      around
                          .loop()
                          .execute(
                              () -> {
                                grace = null;
                                review();
                              }));
    }
  }

  private void review() {
    if (closed || grace != null) {
      return;
    }
    if (attempt != null && attempt.wantsNothing()) {
      store.forgetUnused();
    }
    if (store.isDone()) {
      onDone.run();
    }
  }

  void close() {
    closed = true;
    stopTimer();
    if (grace != null) {
      grace.cancel();
      grace = null;
    }
    if (attempt != null) {
      attempt.stream.cancel("no loads to report");
      attempt = null;
    }
    if (transport != null) {
      transport.close();
      transport = null;
    }
  }

  private void ended(Status status) {
    stopTimer();
    store.notSent();
    around.observer().loadReportsEnded(server, status);
    timer = schedule(backoff.next(), this::start);
    review();
  }

  private TimeSource.Timer schedule(Duration delay, Runnable task) {
    return around
        .time()
        .schedule(
            delay,
            () ->
                around
                    .loop()
                    .execute(
                        () -> {
                          if (!closed) {
                            timer = null;
                            task.run();
                          }
                        }));
  }

  private void stopTimer() {
    if (timer != null) {
      timer.cancel();
      timer = null;
    }
  }

  /** One stream. Its events come from any thread, and those of an earlier one may come late. */
  private final class Attempt implements XdsTransport.StreamListener {
    final XdsTransport.Stream stream;
    private boolean sending;
    private boolean reporting;
    private boolean due;
    private boolean answered;
    private Duration interval = Duration.ZERO;
    private boolean allClusters;
    private Set<String> clusters = Set.of();

    Attempt(LoadReportTransport on) {
      stream = on.open(this);
      send(LoadStatsRequest.newBuilder().setNode(around.node()).build());
      stream.requestNext();
    }

    private void send(Message request) {
      sending = true;
      stream.send(request);
    }

    @Override
    public void onSent() {
      inTurn(
          () -> {
            sending = false;
            if (reporting) {
              reporting = false;
              store.sent();
              review();
            }
            if (due && !closed) {
              report();
            }
          });
    }

    @Override
    public void onResponse(ByteString response) {
      inTurn(
          () -> {
            try {
              use(LoadStatsResponse.parseFrom(response));
              stream.requestNext();
            } catch (InvalidProtocolBufferException e) {
              giveUp("undecodable response: " + e.getMessage());
            }
          });
    }

    private void giveUp(String why) {
      stream.cancel(why);
      attempt = null;
      ended(Status.INTERNAL.withDescription(why));
    }

    private void use(LoadStatsResponse response) {
      if (!answered) {
        answered = true;
        backoff.reset();
        around.observer().loadReportsBegan(server);
      }
      allClusters = response.getSendAllClusters();
      clusters = Set.copyOf(response.getClustersList());
      Duration wanted = interval(response.getLoadReportingInterval());
      if (wanted.isZero()) {
        interval = Duration.ZERO;
        stopTimer();
        due = false;
        review();
        return;
      }
      // A server that says the same again and again does not put the report off.
      if (!wanted.equals(interval) || (timer == null && !due)) {
        interval = wanted;
        stopTimer();
        timer = schedule(interval, this::tick);
      }
    }

    /** Whether it was asked for no reports at all. */
    boolean wantsNothing() {
      return answered && interval.isZero();
    }

    /** Zero for no reports. */
    private static Duration interval(com.google.protobuf.Duration wanted) {
      long seconds = Math.min(wanted.getSeconds(), LONGEST_INTERVAL.toSeconds());
      if (seconds < 0 || (seconds == 0 && wanted.getNanos() <= 0)) {
        return Duration.ZERO;
      }
      Duration interval = Duration.ofSeconds(seconds, wanted.getNanos());
      return interval.compareTo(SHORTEST_INTERVAL) < 0 ? SHORTEST_INTERVAL : interval;
    }

    private void tick() {
      if (attempt == this) {
        if (sending) {
          due = true; // as soon as the server has read what it was sent before
        } else {
          report();
        }
      }
    }

    private void report() {
      due = false;
      reporting = true;
      send(
          LoadStatsRequest.newBuilder()
              .addAllClusterStats(store.read(name -> allClusters || clusters.contains(name)))
              .build());
      timer = schedule(interval, this::tick);
    }

    @Override
    public void onClosed(Status status) {
      inTurn(
          () -> {
            attempt = null;
            ended(
                status.isOk()
                    ? Status.UNAVAILABLE.withDescription("the server closed the stream")
                    : status);
          });
    }

    private void inTurn(Runnable event) {
      around
          .loop()
          .execute(
              () -> {
                if (attempt == this && !closed) {
                  event.run();
                }
              });
    }
  }
}
