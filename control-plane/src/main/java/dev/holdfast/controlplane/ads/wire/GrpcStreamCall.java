// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.controlplane.ads.wire;

import com.google.protobuf.ByteString;
import dev.holdfast.base.TimeSource;
import dev.holdfast.controlplane.ads.access.ClientNames;
import dev.holdfast.controlplane.log.LogArea;
import dev.holdfast.controlplane.log.LogLine;
import dev.holdfast.controlplane.snapshot.ResourceType;
import io.grpc.Grpc;
import io.grpc.ServerCall;
import io.grpc.Status;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;

/**
 * An xDS stream on a gRPC call. While the loop handles one request, only one more is read, so a
 * client that floods the server slows down itself; see also {@link ReadPace}. Limits are checked on
 * the thread that reads from the network.
 */
final class GrpcStreamCall<Q> extends ServerCall.Listener<ReadRequest<Q>> implements ResponseSink {
  private static final Status FAILED =
      Status.INTERNAL.withDescription("the control plane could not handle a request; see its log");
  private static final Duration FIRST_REQUEST = Duration.ofSeconds(30);
  private static final Status NO_REQUEST =
      Status.DEADLINE_EXCEEDED.withDescription(
          "no request within " + FIRST_REQUEST.toSeconds() + " s");

  /** The request that the loop handles, and the next one. */
  private static final int MAX_WAITING = 2;

  /** From so many names on, a request goes through the lane for large ones. */
  private static final int BULK_NAMES = 1_000;

  /** How many seconds' worth of requests may come at once. */
  private static final int BURST = 10;

  private final ServerCall<ReadRequest<Q>, ByteString> call;
  private final StreamIntake intake;
  private final Protocol protocol;
  private final @Nullable ResourceType only;
  private final BiConsumer<StreamHandler, Q> onRequest;
  private final LoopInbox inbox;
  private final ResponseWriter writer;
  private final AtomicInteger waiting = new AtomicInteger();

  /** Requests in the lane for large ones; while there are any, later requests follow them. */
  private final AtomicInteger inLane = new AtomicInteger();

  private final InboundBudget.Account account;
  private final AtomicBoolean released = new AtomicBoolean();
  private volatile boolean counted;
  private volatile boolean refused;

  /** Until when no further request is read, on the clock of {@code TimeSource.nanoTime}. */
  private volatile long pausedUntil;

  // The thread that reads from the network only.
  private final RateLimit rate;
  private final ReadPace pace;
  private long partial;
  private TimeSource.@Nullable Timer firstRequest;

  // Loop only.
  private @Nullable StreamHandler handler;
  private boolean ended;

  GrpcStreamCall(
      ServerCall<ReadRequest<Q>, ByteString> call,
      StreamIntake intake,
      Protocol protocol,
      @Nullable ResourceType only,
      BiConsumer<StreamHandler, Q> onRequest) {
    this.call = call;
    this.intake = intake;
    this.protocol = protocol;
    this.only = only;
    this.onRequest = onRequest;
    ConnectionThread thread = call.getAttributes().get(DiscoveryServices.CONNECTION_THREAD);
    this.inbox = intake.inboxes().of(thread);
    this.writer = new ResponseWriter(call, thread == null ? Runnable::run : thread, this::onReady);
    this.account = intake.budget().account();
    long now = intake.time().nanoTime();
    this.rate = new RateLimit(intake.limits().requestsPerSecond(), BURST, now);
    this.pace = new ReadPace(now);
    this.pausedUntil = now;
    RequestMeter meter = RequestMeter.current();
    if (meter != null) {
      meter.listen(
          new RequestMeter.Listener() {
            @Override
            public void received(long bytes) {
              GrpcStreamCall.this.received(bytes);
            }

            @Override
            public void tooLarge() {
              intake.acceptor().refusals().count("requestBytes");
            }
          });
    }
  }

  void start() {
    Refusal refusal = intake.quota().open(peer());
    if (refusal != null) {
      refused = true;
      intake.acceptor().refusals().count(refusal.limit());
      writer.close(refusal.status());
      return;
    }
    counted = true;
    firstRequest = intake.time().schedule(FIRST_REQUEST, () -> inbox.add(this::noRequest));
    inbox.add(
        () -> {
          if (!ended) {
            handler = intake.acceptor().open(this, protocol, only);
            writer.open();
            call.request(1);
          }
        });
  }

  private void noRequest() {
    end(NO_REQUEST);
  }

  /** A part of a request arrived. */
  private void received(long bytes) {
    partial += bytes;
    if (account.add(bytes) && !refused) {
      refuse(tooManyBytes());
    }
  }

  private Refusal tooManyBytes() {
    return Refusal.tooMuch(
        "requests with " + intake.budget().used() + " bytes wait to be handled",
        "waitingBytes",
        intake.budget().most());
  }

  @Override
  public void onMessage(ReadRequest<Q> read) {
    if (firstRequest != null) {
      firstRequest.cancel();
      firstRequest = null;
    }
    account.subtract(partial);
    partial = 0;
    if (refused) {
      return;
    }
    Refusal refusal = read.refusal();
    if (refusal == null && account.add(read.bytes())) {
      refusal = tooManyBytes();
    }
    if (refusal == null && !rate.take(intake.time().nanoTime())) {
      refusal =
          Refusal.tooMuch(
              "too many requests on one stream within a second",
              "requestsPerSecond",
              intake.limits().requestsPerSecond());
    }
    Q request = read.request();
    if (refusal != null || request == null) {
      refuse(refusal == null ? tooManyBytes() : refusal);
      return;
    }
    long now = intake.time().nanoTime();
    pausedUntil = now + pace.dropped(read.dropped(), now).toNanos();
    if (waiting.incrementAndGet() < MAX_WAITING) {
      readOn(); // free on this thread; from the loop it would have to wake it
    }
    if (read.names() >= BULK_NAMES || inLane.get() > 0) {
      inLane.incrementAndGet();
      intake
          .lane()
          .add(
              () -> {
                inLane.decrementAndGet();
                handle(request, read.bytes());
              });
    } else {
      inbox.add(() -> handle(request, read.bytes()));
    }
  }

  private void handle(Q request, long bytes) {
    account.subtract(bytes);
    if (handler == null || ended) {
      return;
    }
    try {
      onRequest.accept(handler, request);
    } catch (RuntimeException | StackOverflowError e) {
      // A bug of ours: it must not keep anybody from reading the next request.
      LogArea.PROXIES
          .error("internal-error")
          .with(LogLine.ADDRESS, address())
          .cause(e)
          .log("a request from " + address() + " could not be handled; its stream ends");
      end(FAILED);
      return;
    }
    if (waiting.getAndDecrement() == MAX_WAITING && !ended) {
      readOn();
    }
  }

  /** Reads one more request, at once or after a pause. */
  private void readOn() {
    long pause = pausedUntil - intake.time().nanoTime();
    if (pause <= 0) {
      call.request(1);
    } else {
      intake.time().schedule(Duration.ofNanos(pause), () -> call.request(1));
    }
  }

  private void refuse(Refusal refusal) {
    refused = true;
    if (!refusal.limit().isEmpty()) {
      intake.acceptor().refusals().count(refusal.limit());
    }
    inbox.add(() -> end(refusal.status()));
  }

  /** gRPC calls this after each large response; the loop is woken only if it waits for it. */
  @Override
  public void onReady() {
    if (!writer.clearAwaited()) {
      return;
    }
    inbox.add(
        () -> {
          if (handler != null && !ended) {
            handler.onReady();
          }
        });
  }

  @Override
  public void onHalfClose() {
    inbox.add(() -> end(Status.OK));
  }

  @Override
  public void onCancel() {
    release();
    inbox.add(this::end);
  }

  @Override
  public void onComplete() {
    release();
    inbox.add(this::end);
  }

  /** The call is over for gRPC. */
  private void release() {
    if (released.compareAndSet(false, true)) {
      account.close();
      if (firstRequest != null) {
        firstRequest.cancel();
      }
      if (counted) {
        intake.quota().close(peer());
      }
    }
  }

  private void end() {
    if (!ended) {
      ended = true;
      if (handler != null) {
        handler.onClosed();
      }
    }
  }

  @Override
  public void end(Status status) {
    if (!ended) {
      end();
      writer.close(status);
    }
  }

  @Override
  public boolean isReady() {
    return !ended && writer.isReady();
  }

  @Override
  public void send(ByteString response) {
    writer.send(response);
  }

  /** The address that the limits count for. */
  private String peer() {
    SocketAddress remote = call.getAttributes().get(Grpc.TRANSPORT_ATTR_REMOTE_ADDR);
    return remote instanceof InetSocketAddress inet && inet.getAddress() != null
        ? inet.getAddress().getHostAddress()
        : "an unknown address";
  }

  @Override
  public ClientNames client() {
    ClientNames names = call.getAttributes().get(DiscoveryServices.CLIENT_NAMES);
    return names == null ? ClientNames.NONE : names;
  }

  @Override
  public String address() {
    SocketAddress remote = call.getAttributes().get(Grpc.TRANSPORT_ATTR_REMOTE_ADDR);
    if (remote instanceof InetSocketAddress inet && inet.getAddress() != null) {
      return inet.getAddress().getHostAddress() + ":" + inet.getPort();
    }
    return remote == null ? "" : remote.toString();
  }
}
