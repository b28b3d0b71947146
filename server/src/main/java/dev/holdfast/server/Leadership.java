// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.server;

import dev.holdfast.base.Env;
import dev.holdfast.base.Loop;
import dev.holdfast.base.SystemTime;
import dev.holdfast.kubernetes.api.ApiServer;
import dev.holdfast.kubernetes.leader.LeaderElection;
import dev.holdfast.server.http.HttpLimits;
import dev.holdfast.server.http.HttpPort;
import dev.holdfast.server.http.HttpResponse;
import dev.holdfast.server.options.PortErrors;
import dev.holdfast.server.options.ServeOptions;
import dev.holdfast.server.options.StartException;
import dev.holdfast.server.options.StateOptions;
import java.io.IOException;
import java.util.SplittableRandom;
import java.util.UUID;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Whether this replica may serve. A server whose state is in a file always may. With a state in a
 * cluster, one replica leads; the others wait here, and answer on the admin port that they are
 * alive and not ready.
 */
public final class Leadership implements AutoCloseable {
  private static final Logger log = LoggerFactory.getLogger(Leadership.class);
  private static final long LOOK_EVERY_MILLIS = 50;

  private final ServeOptions options;
  private final CountDownLatch leading = new CountDownLatch(1);
  private final @Nullable LeaderElection election;
  private final @Nullable ExecutorService thread;
  private volatile String lostTo = "";
  private volatile @Nullable Runnable onLost;

  private Leadership(ServeOptions options) throws StartException {
    this.options = options;
    if (!(options.state() instanceof StateOptions.InCluster state)) {
      election = null;
      thread = null;
      return;
    }
    ApiServer server = ClusterAccessOptions.apiServer(options.source());
    ExecutorService executor =
        Executors.newSingleThreadExecutor(
            task -> {
              Thread each = new Thread(task, "holdfast-leader");
              each.setDaemon(true);
              return each;
            });
    thread = executor;
    String host = System.getenv().getOrDefault("HOSTNAME", "holdfast");
    election =
        new LeaderElection(
            server,
            state.namespace(),
            state.name(),
            host + "-" + UUID.randomUUID().toString().substring(0, 8),
            new Env(executor, SystemTime.instance(), new SplittableRandom()),
            new Loop(executor, e -> log.error("internal error in the leader election", e)),
            new LeaderElection.Listener() {
              @Override
              public void onLeading() {
                log.info("this replica leads");
                leading.countDown();
              }

              @Override
              public void onLost(String leader) {
                lost(leader);
              }

              @Override
              public void onStandby(String leader) {
                log.info("standing by: {} leads", leader);
              }
            },
            log::warn);
  }

  /** Takes part in the election, if there is one. */
  public static Leadership join(ServeOptions options) throws StartException {
    Leadership leadership = new Leadership(options);
    if (leadership.election != null) {
      leadership.election.start();
    }
    return leadership;
  }

  private void lost(String leader) {
    log.error("another replica leads: {}; this one stops", leader);
    lostTo = leader;
    Runnable stop = onLost;
    if (stop != null) {
      stop.run();
    }
  }

  /**
   * Returns when this replica leads.
   *
   * @param stop ends the wait
   * @return false if {@code stop} came first
   */
  public boolean await(CountDownLatch stop) throws StartException, InterruptedException {
    LeaderElection joined = election;
    if (joined == null || leading.await(LOOK_EVERY_MILLIS, TimeUnit.MILLISECONDS)) {
      return true;
    }
    HttpPort standby = openStandbyPort(joined);
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

  private HttpPort openStandbyPort(LeaderElection joined) throws StartException {
    try {
      return HttpPort.open(
          "holdfast-standby",
          options.admin().address().resolve(),
          HttpLimits.defaults(),
          call ->
              call.answer(
                  call.request().uri().equals("/healthz")
                      ? HttpResponse.text(200, "ok\n")
                      : HttpResponse.text(503, "standing by: " + leader(joined) + " leads\n")));
    } catch (IOException e) {
      throw PortErrors.cannotListen("admin", "--admin-address", options.admin().address(), e);
    }
  }

  private static String leader(LeaderElection election) {
    return election.leader().isEmpty() ? "nobody" : election.leader();
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

  /** Whether no other replica can lead now. */
  boolean mayWrite() {
    return election == null || election.mayWrite();
  }

  /** Lets another replica lead. */
  @Override
  public void close() {
    if (election != null && thread != null) {
      election.close();
      thread.shutdown();
    }
  }
}
