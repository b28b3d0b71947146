// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.kubernetes;

import static java.util.Objects.requireNonNull;

import dev.holdfast.base.Env;
import dev.holdfast.base.Loop;
import dev.holdfast.config.ConfigObject;
import dev.holdfast.config.Generations;
import dev.holdfast.config.ObjectKey;
import dev.holdfast.config.ObjectSource;
import dev.holdfast.config.StatusSink;
import dev.holdfast.kubernetes.api.ApiServer;
import dev.holdfast.kubernetes.source.KindHealth;
import dev.holdfast.kubernetes.source.KnownObject;
import dev.holdfast.kubernetes.source.KubernetesSource;
import dev.holdfast.kubernetes.status.PublicAddress;
import dev.holdfast.kubernetes.status.StatusWriter;
import java.util.List;
import java.util.Set;
import java.util.SortedMap;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * A cluster as a source of objects, and as the place where their status is written. Both work on
 * one loop, because the writer has to know which state of an object it writes to.
 */
public final class KubernetesCluster {
  private final StatusWriter writer;
  private final KubernetesSource source;
  private volatile @Nullable Generations generations;

  /**
   * @param namespaces those that are read; none for all
   * @param instance the name of this process
   * @param address what is written as the address of hosts
   * @param mayWrite whether status may be written now; while not, statuses wait
   * @param onUncaught is told of exceptions that nobody expected
   */
  public KubernetesCluster(
      ApiServer server,
      Set<String> namespaces,
      String instance,
      PublicAddress address,
      BooleanSupplier mayWrite,
      StatusWriter.Observer observer,
      Env env,
      Consumer<? super Throwable> onUncaught) {
    Loop loop = new Loop(env.executor(), onUncaught);
    this.writer =
        new StatusWriter(server, this::known, instance, address, mayWrite, observer, env, loop);
    this.source =
        new KubernetesSource(
            server,
            namespaces,
            (digests, counted, at) ->
                requireNonNull(generations, "generations").assign(digests, counted, at),
            writer::seen,
            env,
            loop);
  }

  private @Nullable KnownObject known(ObjectKey key) {
    return source.known(key);
  }

  /**
   * Begins to read the objects before anybody wants them, so that a standby which takes over finds
   * them here.
   *
   * @param read is given them once they have been read, if nobody wants them by then
   */
  public void warmUp(Consumer<SortedMap<ObjectKey, ConfigObject>> read) {
    source.warmUp(read);
  }

  public StatusSink statusSink() {
    return writer;
  }

  /** The objects; may be called once. */
  public ObjectSource source(Generations stored) {
    if (generations != null) {
      throw new IllegalStateException("source: made twice (expected: once)");
    }
    generations = stored;
    return new ObjectSource() {
      @Override
      public void start(Listener listener) {
        source.start(listener);
      }

      @Override
      public void close() {
        KubernetesCluster.this.close();
      }
    };
  }

  /** Reads and writes nothing more. */
  public void close() {
    source.close();
    writer.close();
  }

  /** How current each kind is. */
  public List<KindHealth> health() {
    return source.health();
  }

  /** The number of statuses that wait to be written. */
  public int waitingStatuses() {
    return writer.waiting();
  }
}
