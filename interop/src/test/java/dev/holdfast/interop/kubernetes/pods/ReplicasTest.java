// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.interop.kubernetes.pods;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.interop.etcd.EtcdMember;
import dev.holdfast.interop.serve.Plane;
import dev.holdfast.testkit.ReservedPorts;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Two replicas with their state in the cluster, or in an etcd, in processes of their own. Only the
 * leader opens the xDS port, so both can have the same one, as behind a Service.
 */
class ReplicasTest {
  @TempDir private Path directory;

  @Test
  void aStandbyTakesOverFromALeaderThatIsKilledOrPausedAndNoRequestFails() throws Exception {
    replaceLeaders("kubernetes:default/holdfast");
  }

  @Test
  void theSameWithTheStateInAnEtcd() throws Exception {
    try (EtcdMember etcd = EtcdMember.start(directory)) {
      replaceLeaders("etcd://" + etcd.address() + "/holdfast");
    }
  }

  private void replaceLeaders(String state) throws Exception {
    try (TrafficScene scene = TrafficScene.start()) {
      KubePlane plane = scene.plane();
      plane.apply(KubePlane.proxyTo("held", "one"));
      plane.awaitProgrammed("held", 1);
      plane.down(); // the replicas take its place, on its port

      Replica first = new Replica(directory, plane, state, plane.xdsPort());
      first.awaitLeading();
      try (Replica second = new Replica(directory, plane, state, plane.xdsPort())) {
        second.awaitStandby();
        plane.awaitProgrammed("held", 1);
        plane.apply(KubePlane.proxyTo("held", "missing"));
        plane.awaitCondition("held", "Programmed", "Invalid", 2);

        long killed = System.nanoTime();
        first.signal("KILL");
        first.exitCode();
        second.awaitLeading();
        System.out.printf(
            "replicas, state in %s: the standby serves %.1f s after the kill of the leader%n",
            state, (System.nanoTime() - killed) / 1e9);
        assertThat(scene.backendOf("held")).isEqualTo("one");
        plane.apply(KubePlane.proxyTo(TrafficScene.steady(0) + "-more", "two"));
        scene.awaitBackend(TrafficScene.steady(0) + "-more", "two");
        plane.awaitProgrammed(TrafficScene.steady(0) + "-more", 1);
        plane.awaitCondition("held", "Programmed", "Invalid", 2);

        // A process that is stopped keeps its port, so the next leader needs another one here.
        try (Replica third = new Replica(directory, plane, state, ReservedPorts.next())) {
          third.awaitStandby();
          second.signal("STOP");
          third.awaitLeading();
          plane.apply(KubePlane.proxyTo("held", "two"));
          Plane.await(
              "the new leader says what it thinks of the edit",
              () -> plane.condition("held", "Valid").get("status").getAsString().equals("True"));
          second.signal("CONT");
          assertThat(second.exitCode()).as("another one leads").isEqualTo(1);
        }
      }
      try (Replica fourth = new Replica(directory, plane, state, plane.xdsPort())) {
        fourth.awaitLeading();
        scene.awaitBackend("held", "two");
        plane.awaitProgrammed("held", 3);
      }
      scene.assertNoRequestFailed();
    }
  }
}
