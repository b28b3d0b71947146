// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.server;

import dev.holdfast.base.Env;
import dev.holdfast.base.SystemTime;
import dev.holdfast.config.ConfigObject;
import dev.holdfast.config.Generations;
import dev.holdfast.config.ObjectSource;
import dev.holdfast.controlplane.authors.AuthorPolicy;
import dev.holdfast.server.options.ClusterOptions;
import dev.holdfast.server.options.StartException;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/** Reads the objects of a cluster once, and writes nothing. */
public final class ClusterObjects {
  private ClusterObjects() {}

  /**
   * @param environment tells how to reach the cluster
   * @throws StartException if it cannot be read in that time
   */
  public static Collection<ConfigObject> read(
      ClusterOptions options, Map<String, String> environment, Duration patience)
      throws StartException, InterruptedException {
    ExecutorService executor =
        new ThreadPoolExecutor(
            1,
            1,
            0,
            TimeUnit.SECONDS,
            new LinkedBlockingQueue<>(),
            task -> {
              Thread thread = new Thread(task, "holdfast-source");
              thread.setDaemon(true);
              return thread;
            },
            new ThreadPoolExecutor.DiscardPolicy()); // what arrives after the end is of no use
    ObjectSourceFactory cluster =
        ObjectSourceFactory.of(
            options.complete(environment),
            AuthorPolicy.NONE,
            new Env(executor, SystemTime.instance(), new SplittableRandom()),
            () -> false);
    CompletableFuture<Collection<ConfigObject>> objects = new CompletableFuture<>();
    try (ObjectSource source = cluster.source(Generations.inMemory())) {
      source.start(changes -> objects.complete(List.copyOf(changes.added().values())));
      return objects.get(patience.toMillis(), TimeUnit.MILLISECONDS);
    } catch (TimeoutException e) {
      throw new StartException(
          "the objects of the cluster were not read within "
              + patience.toSeconds()
              + " s: "
              + cluster.waitingFor().get(),
          e);
    } catch (ExecutionException e) {
      throw new IllegalStateException(e);
    } finally {
      executor.shutdown();
    }
  }
}
