// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.store.etcd;

import com.google.protobuf.ByteString;
import dev.holdfast.base.Env;
import dev.holdfast.base.Loop;
import dev.holdfast.base.TimeSource;
import dev.holdfast.config.Election;
import io.etcd.jetcd.api.KeyValue;
import io.etcd.jetcd.api.RangeResponse;
import io.etcd.jetcd.api.RequestOp;
import io.etcd.jetcd.api.TxnRequest;
import io.etcd.jetcd.api.TxnResponse;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutionException;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Tries to be the server that leads, by a key that only one can create and that etcd deletes with
 * the lease of its creator.
 *
 * <pre>
 * state    | what happens                                          | next
 * ---------|-------------------------------------------------------|---------
 * STANDBY  | there is no key                                       | LEADING (creates it)
 * STANDBY  | another server has the key; no answer                 | STANDBY
 * LEADING  | the lease is kept; no answer                          | LEADING
 * LEADING  | the lease has expired, and nobody led since           | LEADING (creates it again)
 * LEADING  | another server has the key, or had it since           | ENDED
 * (any)    | closed                                                | ENDED (and ends the lease)
 * </pre>
 *
 * <p>The revision that created the key is the {@linkplain #fence fence} of this leadership: a
 * transaction that compares it is refused once the key is gone, whatever the clock of the leader
 * says. A leader that cannot reach etcd goes on serving, because proxies that start need a server,
 * and nobody else can become the leader without etcd; but it may not write until it has renewed. A
 * standby that could not reach etcd waits for the time of a lease before it takes a free key, so
 * that after an outage the leader of before is first.
 */
public final class EtcdElection implements Election {
  /** How long a leader may be silent before another one takes its place. */
  static final Duration LEASE = Duration.ofSeconds(5);

  static final Duration RENEW = Duration.ofMillis(1_500);
  static final Duration RETRY = Duration.ofSeconds(1);

  private enum State {
    STANDBY,
    LEADING,
    ENDED
  }

  private final EtcdApi etcd;
  private final ByteString key;

  /** Says who led last, and stays when the lease of that one ends. */
  private final ByteString lastKey;

  private final String identity;
  private final Env env;
  private final Loop loop;
  private final Listener listener;
  private final Consumer<String> log;

  private volatile State state = State.STANDBY;
  private volatile long renewedAt;
  private volatile String leader = "";
  private volatile String problem = "";

  /** The revision that created our key; 0 if there is none, as far as we know. */
  private volatile long created;

  // Loop only.

  /** Ours; 0 if there is none. */
  private long lease;

  /** When the lease was asked for, or renewed. */
  private long leaseAskedAt;

  /** A free key is not taken earlier. */
  private long patientUntil;

  private boolean isPatient;
  private TimeSource.@Nullable Timer timer;

  /**
   * @param prefix what the key begins with
   * @param identity of this server, unique among all
   * @param log is told what an operator should know
   */
  public EtcdElection(
      EtcdApi etcd,
      String prefix,
      String identity,
      Env env,
      Loop loop,
      Listener listener,
      Consumer<String> log) {
    this.etcd = etcd;
    this.key = ByteString.copyFromUtf8(prefix + "/leader");
    this.lastKey = ByteString.copyFromUtf8(prefix + "/last-leader");
    this.identity = identity;
    this.env = env;
    this.loop = loop;
    this.listener = listener;
    this.log = log;
  }

  /**
   * Asks etcd once, before the start. No answer is no error: etcd may start later than this server.
   *
   * @throws EtcdException if etcd refuses us for good, such as for a wrong password
   */
  public void check() throws EtcdException {
    try {
      etcd.range(Etcd.get(key)).toCompletableFuture().get();
    } catch (ExecutionException e) {
      if (e.getCause() instanceof EtcdException refused
          && refused.kind() == EtcdException.Kind.REFUSED) {
        throw refused;
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  @Override
  public void start() {
    loop.execute(this::look);
  }

  /** Ends the lease, so that another server need not wait for it to expire. */
  @Override
  public CompletionStage<?> close() {
    CompletableFuture<Void> done = new CompletableFuture<>();
    loop.execute(
        () -> {
          state = State.ENDED;
          created = 0;
          cancel();
          if (lease == 0) {
            done.complete(null);
          } else {
            var unused =
                etcd.revoke(lease).whenComplete((response, failure) -> done.complete(null));
            lease = 0;
          }
        });
    return done;
  }

  @Override
  public boolean mayWrite() {
    return state == State.LEADING
        && created != 0
        && env.time().nanoTime() - renewedAt < LEASE.minus(RETRY).toNanos();
  }

  @Override
  public String leader() {
    return leader;
  }

  @Override
  public String problem() {
    return problem;
  }

  /** What the transactions of this leadership compare. */
  Fence fence() {
    return new Fence(key, identity, () -> created);
  }

  // Looking.

  private void look() {
    if (state == State.ENDED) {
      return;
    }
    send(etcd.range(Etcd.get(key)), this::seen);
  }

  private void seen(RangeResponse response) {
    succeeded();
    if (response.getKvsCount() == 0) {
      created = 0;
      if (isPatient && env.time().nanoTime() - patientUntil < 0) {
        next(RETRY);
      } else {
        campaign();
      }
      return;
    }
    isPatient = false;
    KeyValue found = response.getKvs(0);
    String holder = found.getValue().toStringUtf8();
    if (holder.equals(identity)) {
      if (found.getLease() != lease) {
        lease = found.getLease(); // an earlier try arrived after all
        leaseAskedAt = env.time().nanoTime() - LEASE.toNanos();
      }
      created = found.getCreateRevision();
      keepAlive();
    } else if (state == State.LEADING) {
      lost(holder);
    } else {
      if (!holder.equals(leader)) {
        leader = holder;
        listener.onStandby(holder);
      }
      next(RETRY);
    }
  }

  // Taking and keeping.

  private void campaign() {
    if (lease != 0) {
      take();
      return;
    }
    long asked = env.time().nanoTime();
    send(
        etcd.grant(LEASE.toSeconds()),
        granted -> {
          lease = granted.getID();
          leaseAskedAt = asked;
          take();
        });
  }

  /** Creates the key, unless there is one, or another server had it since we did. */
  private void take() {
    ByteString name = ByteString.copyFromUtf8(identity);
    TxnRequest.Builder request =
        TxnRequest.newBuilder()
            .addCompare(Etcd.isCreatedAt(key, 0))
            .addSuccess(
                RequestOp.newBuilder()
                    .setRequestPut(Etcd.put(key, name).toBuilder().setLease(lease)))
            .addSuccess(RequestOp.newBuilder().setRequestPut(Etcd.put(lastKey, name)))
            .addFailure(Etcd.read(lastKey));
    if (state == State.LEADING) {
      request.addCompare(Etcd.hasValue(lastKey, name));
    }
    send(
        etcd.txn(request.build()),
        (TxnResponse response) -> {
          if (response.getSucceeded()) {
            created = response.getHeader().getRevision();
            keepAlive();
            return;
          }
          RangeResponse last = response.getResponses(0).getResponseRange();
          String holder = last.getKvsCount() == 0 ? "" : last.getKvs(0).getValue().toStringUtf8();
          if (state == State.LEADING && !holder.equals(identity)) {
            lost(holder);
          } else {
            next(Duration.ZERO); // somebody was faster, or an earlier try of ours arrived
          }
        });
  }

  private void keepAlive() {
    long asked = env.time().nanoTime();
    send(
        etcd.keepAlive(lease),
        response -> {
          if (response.getTTL() <= 0) {
            expired();
            return;
          }
          leaseAskedAt = asked;
          leading();
          next(RENEW);
        });
  }

  private void leading() {
    renewedAt = leaseAskedAt;
    leader = identity;
    if (state == State.STANDBY) {
      state = State.LEADING;
      listener.onLeading();
    }
  }

  private void expired() {
    lease = 0;
    created = 0;
    next(Duration.ZERO);
  }

  private void lost(String holder) {
    state = State.ENDED;
    created = 0;
    leader = holder;
    cancel();
    listener.onLost(holder);
  }

  // Requests.

  private <R> void send(CompletionStage<R> stage, Consumer<R> onResponse) {
    var unused =
        stage.whenComplete(
            (response, failure) ->
                loop.execute(
                    () -> {
                      if (state == State.ENDED) {
                        return;
                      }
                      if (failure != null) {
                        failed(failure);
                      } else {
                        onResponse.accept(response);
                      }
                    }));
  }

  private void failed(Throwable thrown) {
    Throwable failure =
        thrown instanceof CompletionException && thrown.getCause() != null
            ? thrown.getCause()
            : thrown;
    if (failure instanceof EtcdException e && e.kind() == EtcdException.Kind.NO_LEASE) {
      expired();
      return;
    }
    if (problem.isEmpty()) {
      problem = String.valueOf(failure.getMessage()) + ", since " + env.time().now();
      log.accept(failure.getMessage() + "; retrying");
    }
    next(RETRY);
  }

  private void succeeded() {
    if (!problem.isEmpty()) {
      problem = "";
      log.accept("etcd answers again");
      if (state == State.STANDBY) {
        isPatient = true;
        patientUntil = env.time().nanoTime() + LEASE.toNanos();
      }
    }
  }

  private void next(Duration delay) {
    cancel();
    timer = env.time().schedule(delay, () -> loop.execute(this::look));
  }

  private void cancel() {
    if (timer != null) {
      timer.cancel();
      timer = null;
    }
  }
}
