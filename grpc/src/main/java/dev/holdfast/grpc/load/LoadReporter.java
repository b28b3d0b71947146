// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.grpc.load;

import dev.holdfast.base.Env;
import dev.holdfast.base.Loop;
import dev.holdfast.grpc.transport.LoadReportTransport;
import dev.holdfast.xds.client.Backoff;
import dev.holdfast.xds.client.BackoffPolicy;
import dev.holdfast.xds.client.ServerConfig;
import dev.holdfast.xds.client.XdsClientObserver;
import io.envoyproxy.envoy.config.core.v3.Node;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.SplittableRandom;

/**
 * Reports the loads of one client's clusters, on one stream to each server that wants to know them.
 * Without such a cluster it does nothing.
 */
public final class LoadReporter implements LoadReports, AutoCloseable {
  /** That this client understands when it is asked for all clusters. */
  private static final String SEND_ALL_CLUSTERS = "envoy.lrs.supports_send_all_clusters";

  private final LoadReportSession.Surroundings around;
  private final BackoffPolicy backoff;
  private final SplittableRandom random;

  // Guarded by this.
  private final Map<ServerConfig, LoadReportSession> servers = new LinkedHashMap<>();
  private boolean closed;

  public LoadReporter(
      Node node,
      LoadReportTransport.Factory transports,
      BackoffPolicy backoff,
      Env env,
      XdsClientObserver observer) {
    around =
        new LoadReportSession.Surroundings(
            node.getClientFeaturesList().contains(SEND_ALL_CLUSTERS)
                ? node
                : node.toBuilder().addClientFeatures(SEND_ALL_CLUSTERS).build(),
            transports,
            env.time(),
            new Loop(env.executor(), observer::uncaught),
            observer);
    this.backoff = backoff;
    // Its loop is not that of the engine, to which the generator belongs.
    random = new SplittableRandom(env.random().nextLong());
  }

  @Override
  public synchronized ClusterLoad lease(ServerConfig server, String cluster, String service) {
    if (closed) {
      return NONE.lease(server, cluster, service);
    }
    LoadReportSession session = servers.get(server);
    if (session == null) {
      session =
          new LoadReportSession(
              server, around, new Backoff(backoff, random.split()), () -> done(server));
      servers.put(server, session);
      around.loop().execute(session::start);
    }
    return session.store().lease(cluster, service);
  }

  /** On the loop. */
  private void done(ServerConfig server) {
    LoadReportSession session;
    synchronized (this) {
      session = servers.get(server);
      if (session == null || !session.store().isDone()) {
        return; // somebody came back
      }
      servers.remove(server);
    }
    session.close();
  }

  @Override
  public void close() {
    Map<ServerConfig, LoadReportSession> open;
    synchronized (this) {
      closed = true;
      open = new LinkedHashMap<>(servers);
      servers.clear();
    }
    around.loop().execute(() -> open.values().forEach(LoadReportSession::close));
  }
}
