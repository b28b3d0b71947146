// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.controlplane;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.base.Env;
import dev.holdfast.config.Condition;
import dev.holdfast.config.ConfigObject;
import dev.holdfast.config.ObjectChanges;
import dev.holdfast.config.ObjectKey;
import dev.holdfast.config.StateStore;
import dev.holdfast.controlplane.report.ObjectReport;
import dev.holdfast.controlplane.translate.TranslationOptions;
import dev.holdfast.controlplane.translate.YamlObjects;
import dev.holdfast.testkit.ManualExecutor;
import dev.holdfast.testkit.ManualTime;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

/** The author of an object that there is no room for is told so on the object. */
final class ObjectLimitsTest {
  private final ManualTime time = new ManualTime();
  private final ManualExecutor executor = new ManualExecutor();
  private final SortedMap<ObjectKey, ConfigObject> source = new TreeMap<>();
  private final ControlPlane plane =
      new ControlPlane(
          new Env(executor, time, new SplittableRandom(1)),
          executor,
          new ControlPlaneOptions("test", TranslationOptions.defaults())
              .withObjectLimits(ObjectLimits.defaults().with("objects", 2)),
          StateStore.inMemory(),
          statuses -> {});

  private static ObjectKey key(String name) {
    return new ObjectKey("HTTPProxy", "default", name);
  }

  private void change(Runnable edit) {
    SortedMap<ObjectKey, ConfigObject> before = new TreeMap<>(source);
    edit.run();
    plane.onChange(ObjectChanges.between(before, source, List.of()));
    executor.runAll();
    time.advance(Duration.ofSeconds(2), executor::runAll);
  }

  private void add(String name) {
    source.putAll(
        YamlObjects.objects(
            """
            apiVersion: projectcontour.io/v1
            kind: HTTPProxy
            metadata: {name: %s}
            spec: {virtualhost: {fqdn: %s.example.com}, routes: [{directResponsePolicy: {statusCode: 200}}]}
            """
                .formatted(name, name)));
  }

  private Optional<ObjectReport> report(String name) {
    CompletableFuture<Optional<ObjectReport>> report =
        plane.object(key(name)).toCompletableFuture();
    executor.runAll();
    return report.join();
  }

  private String programmed(String name) {
    for (Condition condition : report(name).orElseThrow().conditions()) {
      if (condition.type().equals("Programmed")) {
        return condition.reason() + ": " + condition.message();
      }
    }
    return "";
  }

  @Test
  void oneTooManyIsToldAndTakenWhenThereIsRoom() {
    change(() -> List.of("a", "b").forEach(this::add));
    change(() -> add("c"));

    assertThat(programmed("c"))
        .isEqualTo("TooManyObjects: not served: there are 2 objects already (limit objects)");
    assertThat(programmed("a")).startsWith("NoDataPlane");
    assertThat(plane.refusals()).containsEntry("objects", 1L);

    change(() -> requireNonNull(source.remove(key("b"))));
    assertThat(programmed("c")).startsWith("NoDataPlane");

    change(() -> add("d"));
    assertThat(programmed("d")).startsWith("TooManyObjects");
    change(() -> requireNonNull(source.remove(key("d"))));
    assertThat(report("d")).isEmpty();
    assertThat(plane.refusals()).containsEntry("objects", 2L);
  }
}
