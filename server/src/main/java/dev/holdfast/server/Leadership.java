// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.server;

import dev.holdfast.base.Env;
import dev.holdfast.base.Loop;
import dev.holdfast.base.SystemTime;
import dev.holdfast.config.ConfigObject;
import dev.holdfast.config.Election;
import dev.holdfast.config.ObjectKey;
import dev.holdfast.config.StateStore;
import dev.holdfast.controlplane.log.LogArea;
import dev.holdfast.controlplane.translate.Translation;
import dev.holdfast.server.http.HttpLimits;
import dev.holdfast.server.http.HttpPort;
import dev.holdfast.server.http.HttpResponse;
import dev.holdfast.server.options.PortErrors;
import dev.holdfast.server.options.ServeOptions;
import dev.holdfast.server.options.StartException;
import dev.holdfast.server.options.StateOptions;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.SortedMap;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.UUID;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;

/**
 * Whether this replica may serve. A server whose state is in a file always may. With a state in a
 * cluster or an etcd, one replica leads; the others wait here with the objects that they have read
 * already, and answer on the admin port that they are alive and not ready.
 */
public final class Leadership implements AutoCloseable {
  private static final long LOOK_EVERY_MILLIS = 50;
  private static final Duration FAREWELL = Duration.ofSeconds(2);

  private final ServeOptions options;
  private final CountDownLatch leading = new CountDownLatch(1);
  private final @Nullable SharedState shared;
  private final @Nullable ObjectSourceFactory source;
  private final List<ExecutorService> threads = new ArrayList<>();
  private volatile String lostTo = "";

  /** What a standby has done so that it can take over soon, for people. */
  private volatile String preparation = "";

  private volatile @Nullable Runnable onLost;

  private Leadership(ServeOptions options) throws StartException {
    this.options = options;
    if (options.state() instanceof StateOptions.InFile) {
      shared = null;
      source = null;
      return;
    }
    ExecutorService executor = thread("holdfast-leader");
    source =
        ObjectSourceFactory.of(
            options.source(), options.authors(), env(thread("holdfast-source")), this::mayWrite);
    String host = System.getenv().getOrDefault("HOSTNAME", "holdfast");
    shared =
        SharedState.of(
            options,
            host + "-" + UUID.randomUUID().toString().substring(0, 8),
            env(executor),
            new Loop(
                executor,
                e ->
                    LogArea.LEADER
                        .error("internal-error")
                        .cause(e)
                        .log("internal error in the leader election")),
            new LoggingListener(),
            message -> LogArea.LEADER.warn("store-problem").log(message));
  }

  private ExecutorService thread(String name) {
    ExecutorService executor =
        Executors.newSingleThreadExecutor(
            task -> {
              Thread each = new Thread(task, name);
              each.setDaemon(true);
              return each;
            });
    threads.add(executor);
    return executor;
  }

  private static Env env(ExecutorService executor) {
    return new Env(executor, SystemTime.instance(), new SplittableRandom());
  }

  /** Takes part in the election, if there is one. */
  public static Leadership join(ServeOptions options) throws StartException {
    Leadership leadership = new Leadership(options);
    if (leadership.shared != null) {
      leadership.shared.election().start();
    }
    return leadership;
  }

  /**
   * Returns when this replica leads.
   *
   * @param stop ends the wait
   * @return false if {@code stop} came first
   */
  public boolean await(CountDownLatch stop) throws StartException, InterruptedException {
    if (shared == null || leading.await(LOOK_EVERY_MILLIS, TimeUnit.MILLISECONDS)) {
      return true;
    }
    HttpPort standby = openStandbyPort(shared.election());
    try {
      while (!leading.await(LOOK_EVERY_MILLIS, TimeUnit.MILLISECONDS)) {
        if (stop.getCount() == 0) {
          return false;
        }
      }
      return true;
    } finally {
      standby.close();
    }
  }

  private HttpPort openStandbyPort(Election election) throws StartException {
    try {
      return HttpPort.open(
          "holdfast-standby",
          options.admin().address().resolve(),
          HttpLimits.defaults(),
          call ->
              call.answer(
                  call.request().uri().equals("/healthz")
                      ? HttpResponse.text(200, "ok\n")
                      : HttpResponse.text(
                          503, "standing by: " + leader(election) + preparation + "\n")));
    } catch (IOException e) {
      throw PortErrors.cannotListen("admin", "--admin-address", options.admin().address(), e);
    }
  }

  private static String leader(Election election) {
    String leader = election.leader().isEmpty() ? "nobody" : election.leader();
    String problem = election.problem();
    return leader + " leads" + (problem.isEmpty() ? "" : "; " + problem);
  }

  /** Has something called when another replica leads, or at once if it does already. */
  public void onLost(Runnable stop) {
    onLost = stop;
    if (!lostTo.isEmpty()) {
      stop.run();
    }
  }

  /** The replica that leads in the place of this one; empty if this one was never replaced. */
  public String lostTo() {
    return lostTo;
  }

  /** The replica that leads, as far as this one knows; empty if there is no election. */
  String leader() {
    return shared == null ? "" : shared.election().leader();
  }

  /**
   * Translates all objects, and forgets the result. A JVM is many times faster the second time, and
   * the second time is when this replica takes over.
   */
  private void translateOnce(SortedMap<ObjectKey, ConfigObject> objects) {
    Thread thread =
        new Thread(
            () -> {
              try {
                Translation unused =
                    Translation.empty(EmbeddedControlPlane.translation(options))
                        .with(new TreeMap<>(objects));
                preparation = "; " + objects.size() + " objects are read and translated";
              } catch (RuntimeException | StackOverflowError e) {
                LogArea.LEADER
                    .warn("not-translated")
                    .cause(e)
                    .log("objects could not be translated while standing by");
              }
            },
            "holdfast-warm-up");
    thread.setDaemon(true);
    thread.start();
  }

  /** The objects, which a standby has read already; null if there is no election. */
  @Nullable ObjectSourceFactory source() {
    return source;
  }

  /** Whether no other replica can lead now. */
  private boolean mayWrite() {
    return shared == null || shared.election().mayWrite();
  }

  /**
   * Opens the state of the options, for the replica that leads.
   *
   * @throws StartException if it cannot be used
   */
  StateStore openState() throws StartException {
    return shared == null ? StateFiles.open(options) : StateFiles.opened(shared.store());
  }

  /** Lets another replica lead. */
  @Override
  public void close() {
    if (shared != null) {
      try {
        shared
            .election()
            .close()
            .toCompletableFuture()
            .get(FAREWELL.toMillis(), TimeUnit.MILLISECONDS);
      } catch (ExecutionException | TimeoutException e) {
        LogArea.LEADER
            .warn("farewell-failed")
            .log("the other replicas could not be told that this one stops");
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
      }
      shared.close().run();
    }
    if (source != null) {
      source.close().run();
    }
    threads.forEach(ExecutorService::shutdown);
  }

  private final class LoggingListener implements Election.Listener {
    @Override
    public void onLeading() {
      LogArea.LEADER.info("leads").log("this replica leads");
      leading.countDown();
    }

    @Override
    public void onLost(String leader) {
      LogArea.LEADER
          .error("lost")
          .with("leader", leader)
          .log("another replica leads: " + leader + "; this one stops");
      lostTo = leader;
      Runnable stop = onLost;
      if (stop != null) {
        stop.run();
      }
    }

    @Override
    public void onStandby(String leader) {
      LogArea.LEADER
          .info("stands-by")
          .with("leader", leader)
          .log("standing by: " + leader + " leads");
      if (source != null) {
        source.warmUp().accept(Leadership.this::translateOnce);
      }
    }
  }
}
