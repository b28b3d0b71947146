// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.interop.kubernetes.deploy;

import dev.holdfast.base.Env;
import dev.holdfast.base.Loop;
import dev.holdfast.config.Condition;
import dev.holdfast.config.ConfigObject;
import dev.holdfast.config.Election;
import dev.holdfast.config.Generations;
import dev.holdfast.config.ObjectChanges;
import dev.holdfast.config.ObjectKey;
import dev.holdfast.config.ObjectSource;
import dev.holdfast.config.ObjectStatus;
import dev.holdfast.config.StateChange;
import dev.holdfast.config.StateStore;
import dev.holdfast.config.StateStoreException;
import dev.holdfast.kubernetes.KubernetesCluster;
import dev.holdfast.kubernetes.api.ApiServer;
import dev.holdfast.kubernetes.leader.LeaderElection;
import dev.holdfast.kubernetes.status.PublicAddress;
import dev.holdfast.kubernetes.status.StatusWriter;
import dev.holdfast.kubernetes.store.ClusterStateStore;
import java.time.Instant;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Everything that Holdfast does with a cluster, once: it reads all kinds, says of every object that
 * it is rejected, becomes the leader and lets that go, and writes state.
 */
final class Rehearsal implements AutoCloseable {
  private static final String NAMESPACE = "holdfast";

  private final ApiServer server;
  private final Env env = Env.system();
  private final KubernetesCluster cluster;
  private final LeaderElection election;
  private @Nullable ObjectSource source;

  Rehearsal(ApiServer server, Set<String> namespaces) {
    this.server = server;
    cluster =
        new KubernetesCluster(
            server,
            namespaces,
            "rehearsal",
            PublicAddress.parse("203.0.113.7"),
            () -> true,
            new StatusWriter.Observer() {},
            env,
            e -> {});
    election = election();
  }

  void start() {
    ObjectSource objects = cluster.source(Generations.inMemory());
    source = objects;
    objects.start(this::condemn);
    election.start();
    store();
  }

  @Override
  public void close() {
    if (source != null) {
      source.close();
    }
    election.close();
  }

  private void condemn(ObjectChanges changes) {
    Map<ObjectKey, ObjectStatus> verdicts = new HashMap<>();
    changes
        .added()
        .forEach((key, object) -> verdicts.put(key, ObjectStatus.empty().with(verdict(object))));
    cluster.statusSink().report(verdicts);
  }

  private static Condition verdict(ConfigObject object) {
    return new Condition(
        "Programmed",
        Condition.Status.FALSE,
        "Rejected",
        "as an example",
        object.generation(),
        Instant.EPOCH);
  }

  private LeaderElection election() {
    return new LeaderElection(
        server,
        NAMESPACE,
        "holdfast",
        "rehearsal",
        env,
        new Loop(env.executor(), e -> {}),
        new Election.Listener() {
          @Override
          public void onLeading() {
            election.close(); // which lets the Lease go
          }

          @Override
          public void onLost(String leader) {}

          @Override
          public void onStandby(String leader) {}
        },
        line -> {});
  }

  private void store() {
    try (StateStore store = ClusterStateStore.open(server, NAMESPACE, "holdfast", Runnable::run)) {
      store.commit(StateChange.builder().putClass("envoy", Instant.EPOCH).build());
    } catch (StateStoreException e) {
      // Whoever misses a right has noted it.
    }
  }
}
