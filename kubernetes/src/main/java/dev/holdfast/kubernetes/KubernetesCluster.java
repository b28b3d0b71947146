// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.kubernetes;

import static java.util.Objects.requireNonNull;

import dev.holdfast.base.Env;
import dev.holdfast.base.Loop;
import dev.holdfast.config.Generations;
import dev.holdfast.config.ObjectKey;
import dev.holdfast.config.ObjectSource;
import dev.holdfast.config.StatusSink;
import dev.holdfast.kubernetes.api.ApiServer;
import dev.holdfast.kubernetes.source.KindHealth;
import dev.holdfast.kubernetes.source.KnownObject;
import dev.holdfast.kubernetes.source.KubernetesSource;
import dev.holdfast.kubernetes.status.StatusWriter;
import java.util.List;
import java.util.Set;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * A cluster as a source of objects, and as the place where their status is written. Both work on
 * one loop, because the writer has to know which state of an object it writes to.
 */
public final class KubernetesCluster {
  private final ApiServer server;
  private final Set<String> namespaces;
  private final Env env;
  private final Loop loop;
  private final StatusWriter writer;
  private volatile @Nullable KubernetesSource source;

  /**
   * @param namespaces those that are read; none for all
   * @param instance the name of this process
   * @param mayWrite whether status may be written now; while not, statuses wait
   * @param onUncaught is told of exceptions that nobody expected
   */
  public KubernetesCluster(
      ApiServer server,
      Set<String> namespaces,
      String instance,
      BooleanSupplier mayWrite,
      StatusWriter.Observer observer,
      Env env,
      Consumer<? super Throwable> onUncaught) {
    this.server = server;
    this.namespaces = Set.copyOf(namespaces);
    this.env = env;
    this.loop = new Loop(env.executor(), onUncaught);
    this.writer = new StatusWriter(server, this::known, instance, mayWrite, observer, env, loop);
  }

  private @Nullable KnownObject known(ObjectKey key) {
    KubernetesSource current = source;
    return current == null ? null : current.known(key);
  }

  public StatusSink statusSink() {
    return writer;
  }

  /** The objects; may be called once. */
  public ObjectSource source(Generations generations) {
    if (source != null) {
      throw new IllegalStateException("source: made twice (expected: once)");
    }
    source = new KubernetesSource(server, namespaces, generations, env, loop);
    return new ObjectSource() {
      @Override
      public void start(Listener listener) {
        requireNonNull(source).start(listener);
      }

      @Override
      public void close() {
        requireNonNull(source).close();
        writer.close();
      }
    };
  }

  /** How current each kind is; nothing before there is a source. */
  public List<KindHealth> health() {
    KubernetesSource current = source;
    return current == null ? List.of() : current.health();
  }
}
