// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.benchmarks.servers;

import dev.holdfast.base.Env;
import dev.holdfast.base.SystemTime;
import dev.holdfast.config.ConfigObject;
import dev.holdfast.config.ObjectChanges;
import dev.holdfast.config.ObjectKey;
import dev.holdfast.config.StateStore;
import dev.holdfast.controlplane.ControlPlane;
import dev.holdfast.controlplane.ControlPlaneOptions;
import dev.holdfast.controlplane.translate.TranslationOptions;
import dev.holdfast.store.sqlite.SqliteStateStore;
import io.grpc.ServerServiceDefinition;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Collections;
import java.util.List;
import java.util.SortedMap;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

/** A whole control plane, with its state in a file, that is handed its objects. */
public final class WholeControlPlane implements AutoCloseable {
  private final ExecutorService loop = Executors.newSingleThreadExecutor();
  private final ExecutorService writer = Executors.newSingleThreadExecutor();
  private final Path directory;
  private final StateStore store;
  private final ControlPlane controlPlane;

  public WholeControlPlane(SortedMap<ObjectKey, ConfigObject> objects) {
    try {
      directory = Files.createTempDirectory("holdfast-benchmark");
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    store = SqliteStateStore.open(directory.resolve("state.db"));
    controlPlane =
        new ControlPlane(
            new Env(loop, SystemTime.instance(), new SplittableRandom()),
            writer,
            new ControlPlaneOptions("holdfast", TranslationOptions.defaults()),
            store,
            changed -> {});
    controlPlane.onChange(
        new ObjectChanges(objects, Collections.emptySortedMap(), new TreeSet<>(), List.of()));
    controlPlane.totals().toCompletableFuture().join(); // until the objects are resources
  }

  public List<ServerServiceDefinition> services() {
    return controlPlane.services();
  }

  /** Hands over another generation of an object. */
  public void change(ConfigObject object) {
    SortedMap<ObjectKey, ConfigObject> changed = new TreeMap<>();
    changed.put(object.key(), object);
    controlPlane.onChange(
        new ObjectChanges(Collections.emptySortedMap(), changed, new TreeSet<>(), List.of()));
  }

  @Override
  public void close() {
    controlPlane.close();
    loop.shutdown();
    writer.shutdown();
    store.close();
    try (var files = Files.list(directory)) {
      for (Path file : files.toList()) {
        Files.delete(file);
      }
      Files.delete(directory);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
