// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.server.scouts;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import com.google.protobuf.ByteString;
import dev.holdfast.base.PersistentMap;
import dev.holdfast.config.ObjectKey;
import dev.holdfast.controlplane.rollout.fleet.ScoutProbe;
import dev.holdfast.controlplane.snapshot.Resource;
import dev.holdfast.controlplane.snapshot.ResourceId;
import dev.holdfast.controlplane.snapshot.ResourceType;
import dev.holdfast.controlplane.snapshot.Snapshot;
import dev.holdfast.server.envoy.EnvoyBootstrap;
import dev.holdfast.server.envoy.EnvoyProgram;
import dev.holdfast.server.envoy.FakeAdmin;
import dev.holdfast.server.envoy.LocalEnvoy;
import dev.holdfast.server.options.ListenAddress;
import dev.holdfast.server.options.ScoutFinding;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What an Envoy has accepted and does not use is found, and is the fault of what changed. */
class ScoutProberTest {
  private static final ObjectKey OLD = new ObjectKey("HTTPProxy", "default", "old");
  private static final ObjectKey NEW = new ObjectKey("HTTPProxy", "default", "new");

  /** What Envoy 1.39 answers while a listener waits. */
  private static final Map<String, String> WAITING =
      Map.of(
          "/stats",
          "cluster_manager.warming_clusters: 0\nlistener_manager.total_listeners_warming: 1\n",
          "/config_dump?resource=dynamic_listeners",
          "{\"configs\": [{\"name\": \"other\"},"
              + " {\"name\": \"ingress_http\", \"warming_state\": {}}]}",
          "/init_dump",
          "{\"unready_targets_dumps\": [{\"name\": \"init manager Listener-local-init-manager"
              + " ingress_http 598890951615217310\","
              + " \"target_names\": [\"shared target SdsApi token\"]}]}",
          "/listeners",
          "{\"listener_statuses\": []}");

  @TempDir Path directory;

  private static Resource listener(String version, ObjectKey... objects) {
    PersistentMap<ObjectKey, String> parts = PersistentMap.empty();
    for (ObjectKey object : objects) {
      parts = parts.with(object, "part of " + object);
    }
    return new Resource(
        new ResourceId(ResourceType.LISTENER, "ingress_http"),
        version,
        ByteString.copyFromUtf8(version),
        Resource.Audience.ALL,
        parts,
        PersistentMap.empty(),
        List::of);
  }

  /** What is found after the listener was changed from the one to the other. */
  private List<ScoutProbe.Finding> found(
      Map<String, String> answers, Set<ScoutFinding> holding, Resource before, Resource now)
      throws Exception {
    Path where = directory.resolve("where");
    Path program = directory.resolve("envoy");
    Files.writeString(
        program,
        "#!/bin/sh\n"
            + "[ \"$1\" = --version ] && echo 'envoy  version: 9b5f/1.39.0/Clean/RELEASE/B' && exit\n"
            + "for each; do case $each in */bootstrap.yaml) echo \"$each\" > "
            + where
            + ".new; mv "
            + where
            + ".new "
            + where
            + ";; esac; done\n"
            + "exec sleep 1000\n");
    Files.setPosixFilePermissions(program, PosixFilePermissions.fromString("rwxr-xr-x"));
    try (LocalEnvoy envoy =
        LocalEnvoy.start(
            EnvoyProgram.at(program),
            EnvoyBootstrap.of("s1", "c", 0, new ListenAddress("127.0.0.1", 1)),
            new LocalEnvoy.Settings(Duration.ofMinutes(1), Duration.ofMinutes(1), 0, 0))) {
      long end = System.nanoTime() + Duration.ofSeconds(60).toNanos();
      while (!Files.exists(where) && System.nanoTime() < end) {
        Thread.sleep(10);
      }
      FakeAdmin admin =
          new FakeAdmin(
              Path.of(Files.readString(where).strip()).resolveSibling("admin.sock"), answers);
      try {
        ScoutProbe.Result result =
            new ScoutProber(node -> envoy, "marker", Runnable::run, holding, Duration.ofMillis(100))
                .probe(
                    new ScoutProbe.Request(
                        "s1",
                        Snapshot.empty().with(before),
                        Snapshot.empty().with(now),
                        before.equals(now) ? List.of() : List.of(now),
                        Duration.ofSeconds(2)))
                .toCompletableFuture()
                .get(60, TimeUnit.SECONDS);
        return ((ScoutProbe.Asked) result).findings();
      } finally {
        admin.close();
      }
    }
  }

  @Test
  void aListenerThatIsNeverUsedIsTheFaultOfWhatChanged() throws Exception {
    assertThat(found(WAITING, ScoutFinding.DEFAULT, listener("1", OLD), listener("2", OLD, NEW)))
        .containsExactly(
            new ScoutProbe.Finding(
                NEW,
                new ResourceId(ResourceType.LISTENER, "ingress_http"),
                "",
                "Listener ingress_http is not in use after 0.1 s; it waits for shared target SdsApi"
                    + " token",
                ScoutProbe.Weight.HOLDS));
  }

  @Test
  void theOperatorSaysWhatHolds() throws Exception {
    assertThat(found(WAITING, Set.of(), listener("1", OLD), listener("2", OLD, NEW)))
        .extracting(ScoutProbe.Finding::weight)
        .containsExactly(ScoutProbe.Weight.WARNS);
  }

  @Test
  void whatWasNotUsedBeforeIsNobodysFault() throws Exception {
    Resource same = listener("1", OLD);
    assertThat(found(WAITING, ScoutFinding.DEFAULT, same, same)).isEmpty();
  }

  @Test
  void findingsAreNamed() {
    assertThat(ScoutFinding.parse("failed, shadowed"))
        .containsExactlyInAnyOrder(ScoutFinding.FAILED, ScoutFinding.SHADOWED);
    assertThat(ScoutFinding.parse("none")).isEmpty();
    assertThat(ScoutFinding.parse("failed,not-in-use")).isEqualTo(ScoutFinding.DEFAULT);
    for (String bad : Arrays.asList("", "fail", "failed,,shadowed", "none,failed")) {
      assertThat(catchThrowable(() -> ScoutFinding.parse(bad)))
          .as(bad)
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageContaining("expected: a list of failed, not-in-use, shadowed, or none");
    }
  }
}
