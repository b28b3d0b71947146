// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.grpc.orca;

import com.github.xds.data.orca.v3.OrcaLoadReport;
import com.github.xds.service.orca.v3.OpenRcaServiceGrpc;
import com.github.xds.service.orca.v3.OrcaLoadReportRequest;
import dev.holdfast.xds.client.Backoff;
import dev.holdfast.xds.client.BackoffPolicy;
import io.grpc.CallOptions;
import io.grpc.Channel;
import io.grpc.ChannelLogger;
import io.grpc.ChannelLogger.ChannelLogLevel;
import io.grpc.ClientCall;
import io.grpc.Metadata;
import io.grpc.Status;
import io.grpc.SynchronizationContext;
import java.time.Duration;
import java.util.Objects;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/**
 * Asks one endpoint for reports beside the calls (gRFC A51), while it is connected and somebody
 * wants them. In the synchronization context, but for the reports, which come on any thread.
 */
public final class OutOfBandReports {
  /** A stream that ends earlier is not begun again at once, though it carried a report. */
  private static final Duration YOUNG = Duration.ofSeconds(1);

  private final Supplier<Channel> endpoint;
  private final ChannelLogger logger;
  private final Consumer<OrcaLoadReport> listener;
  private final Surroundings around;
  private final Backoff backoff;

  private @Nullable Duration interval;
  private boolean connected;
  private boolean unimplemented;
  private @Nullable Stream stream;
  private SynchronizationContext.@Nullable ScheduledHandle retry;

  /** Threads, time and chance. */
  public record Surroundings(
      SynchronizationContext context,
      ScheduledExecutorService scheduler,
      LongSupplier nanoTime,
      RandomGenerator random) {}

  /**
   * @param endpoint calls on it go to this endpoint; asked for while it is connected
   */
  public OutOfBandReports(
      Supplier<Channel> endpoint,
      ChannelLogger logger,
      Consumer<OrcaLoadReport> listener,
      Surroundings around) {
    this.endpoint = endpoint;
    this.logger = logger;
    this.listener = listener;
    this.around = around;
    backoff = new Backoff(BackoffPolicy.defaults(), around.random());
  }

  /**
   * From now on, reports are wanted this often.
   *
   * @param wanted null for no more reports
   */
  public void want(@Nullable Duration wanted) {
    if (!Objects.equals(interval, wanted)) {
      interval = wanted;
      stop();
      start();
    }
  }

  /** Whether there is a connection to the endpoint. */
  public void connected(boolean now) {
    if (connected != now) {
      connected = now;
      unimplemented = false; // who answers the next connection may know more
      backoff.reset();
      stop();
      start();
    }
  }

  private void start() {
    Duration wanted = interval;
    if (connected && !unimplemented && wanted != null && stream == null) {
      stream = new Stream(wanted);
    }
  }

  private void stop() {
    if (retry != null) {
      retry.cancel();
      retry = null;
    }
    if (stream != null) {
      Stream old = stream;
      stream = null;
      old.call.cancel("reports are no longer wanted", null);
    }
  }

  private void ended(Stream ended, Status status) {
    if (stream != ended) {
      return;
    }
    stream = null;
    if (status.getCode() == Status.Code.UNIMPLEMENTED) {
      unimplemented = true;
      logger.log(
          ChannelLogLevel.ERROR,
          "the endpoint has no OpenRcaService, so that its load is not known: {0}",
          status);
      return;
    }
    boolean worked = ended.reported;
    if (worked) {
      backoff.reset();
    }
    if (worked && around.nanoTime().getAsLong() - ended.startedAt >= YOUNG.toNanos()) {
      start();
      return;
    }
    Duration delay = backoff.next();
    logger.log(
        ChannelLogLevel.DEBUG, "load reports ended with {0}, next attempt in {1}", status, delay);
    retry =
        around
            .context()
            .schedule(
                () -> {
                  retry = null;
                  start();
                },
                delay.toNanos(),
                TimeUnit.NANOSECONDS,
                around.scheduler());
  }

  private final class Stream extends ClientCall.Listener<OrcaLoadReport> {
    private final ClientCall<OrcaLoadReportRequest, OrcaLoadReport> call;
    private final long startedAt = around.nanoTime().getAsLong();
    private volatile boolean reported;

    Stream(Duration wanted) {
      call =
          endpoint
              .get()
              .newCall(OpenRcaServiceGrpc.getStreamCoreMetricsMethod(), CallOptions.DEFAULT);
      call.start(this, new Metadata());
      call.sendMessage(
          OrcaLoadReportRequest.newBuilder()
              .setReportInterval(
                  com.google.protobuf.Duration.newBuilder()
                      .setSeconds(wanted.getSeconds())
                      .setNanos(wanted.getNano()))
              .build());
      call.halfClose();
      call.request(1);
    }

    @Override
    public void onMessage(OrcaLoadReport report) {
      reported = true;
      listener.accept(report);
      call.request(1);
    }

    @Override
    public void onClose(Status status, Metadata trailers) {
      around.context().execute(() -> ended(this, status));
    }
  }
}
