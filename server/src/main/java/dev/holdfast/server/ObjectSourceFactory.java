// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.server;

import dev.holdfast.base.Env;
import dev.holdfast.config.ConfigObject;
import dev.holdfast.config.Generations;
import dev.holdfast.config.ObjectKey;
import dev.holdfast.config.ObjectSource;
import dev.holdfast.config.StatusSink;
import dev.holdfast.config.files.FileSource;
import dev.holdfast.config.files.WatchTimings;
import dev.holdfast.controlplane.authors.AuthorPolicy;
import dev.holdfast.controlplane.authors.DirectoryRule;
import dev.holdfast.controlplane.log.LogArea;
import dev.holdfast.kubernetes.KubernetesCluster;
import dev.holdfast.kubernetes.source.KindHealth;
import dev.holdfast.kubernetes.status.StatusWriter;
import dev.holdfast.server.admin.SourceReport;
import dev.holdfast.server.options.SourceOptions;
import dev.holdfast.server.options.StartException;
import java.util.List;
import java.util.SortedMap;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.stream.Collectors;

/**
 * Where objects come from and where their status goes.
 *
 * @param statusSink exists before the source, because the control plane does, too
 * @param factory makes the source; called once
 * @param waitingFor says what the source has not read yet, and why; empty if it has read everything
 * @param report says how current the objects are
 * @param warmUp begins to read them before the source is made, if that is possible, and tells once
 *     which there are
 * @param close ends that, if no source was made
 */
record ObjectSourceFactory(
    StatusSink statusSink,
    Function<Generations, ObjectSource> factory,
    Supplier<String> waitingFor,
    Supplier<SourceReport> report,
    Consumer<Consumer<SortedMap<ObjectKey, ConfigObject>>> warmUp,
    Runnable close) {

  /**
   * @param authors of what may stand in which files; a cluster has its own rules for that
   * @param mayWrite whether status may be written now
   */
  static ObjectSourceFactory of(
      SourceOptions options, AuthorPolicy authors, Env env, BooleanSupplier mayWrite)
      throws StartException {
    if (options instanceof SourceOptions.Directory directory) {
      return new ObjectSourceFactory(
          changed -> {}, // the status of a file is in the admin API alone
          generations ->
              new FileSource(
                  directory.path(),
                  directory.limits(),
                  (file, key) ->
                      DirectoryRule.problem(authors.directories(), file, key.namespace()),
                  generations,
                  WatchTimings.defaults(),
                  env),
          () -> "",
          () -> SourceReport.of("files", directory.toString()),
          read -> {},
          () -> {});
    }
    SourceOptions.Cluster cluster = (SourceOptions.Cluster) options;
    KubernetesCluster kubernetes =
        new KubernetesCluster(
            ClusterAccessOptions.apiServer(cluster),
            cluster.namespaces(),
            "holdfast-" + ProcessHandle.current().pid(),
            cluster.publicAddress(),
            mayWrite,
            new LoggingStatusObserver(),
            env,
            e ->
                LogArea.SOURCE
                    .error("internal-error")
                    .cause(e)
                    .log("internal error; the Kubernetes source keeps running"));
    return new ObjectSourceFactory(
        kubernetes.statusSink(),
        kubernetes::source,
        () -> unread(kubernetes.health()),
        () -> report(cluster, kubernetes),
        kubernetes::warmUp,
        kubernetes::close);
  }

  private static SourceReport report(SourceOptions.Cluster cluster, KubernetesCluster kubernetes) {
    return new SourceReport(
        "kubernetes",
        cluster.toString(),
        "",
        kubernetes.health().stream().map(ObjectSourceFactory::report).toList(),
        kubernetes.waitingStatuses());
  }

  private static SourceReport.Kind report(KindHealth health) {
    String state =
        switch (health.state()) {
          case LISTING -> "listing";
          case CURRENT -> SourceReport.CURRENT;
          case STALE -> "stale";
          case UNKNOWN_KIND -> SourceReport.UNKNOWN;
          case FORBIDDEN -> "forbidden";
        };
    return new SourceReport.Kind(
        health.kind().kind(),
        health.namespace(),
        state,
        health.reason(),
        health.since(),
        health.objects());
  }

  private static String unread(List<KindHealth> kinds) {
    return kinds.stream()
        .filter(kind -> kind.state() != KindHealth.State.CURRENT)
        .map(
            kind ->
                kind.kind().plural()
                    + (kind.reason().isEmpty() ? " not listed yet" : ": " + kind.reason()))
        .collect(Collectors.joining("; "));
  }

  ObjectSource source(Generations generations) {
    return factory.apply(generations);
  }

  /** Logs the first failure of a series, and each status that the API server does not take. */
  private static final class LoggingStatusObserver implements StatusWriter.Observer {
    private boolean isFailing;

    @Override
    public void written(ObjectKey key) {
      if (isFailing) {
        isFailing = false;
        LogArea.SOURCE
            .info("status-written-again")
            .log("status can be written to Kubernetes again");
      }
    }

    @Override
    public void failed(ObjectKey key, String reason) {
      if (!isFailing) {
        isFailing = true;
        LogArea.SOURCE
            .warn("status-failed")
            .object(key)
            .log("status of " + key + " cannot be written to Kubernetes: " + reason + "; retrying");
      }
    }

    @Override
    public void refused(ObjectKey key, String reason) {
      LogArea.SOURCE
          .warn("status-refused")
          .object(key)
          .log("Kubernetes does not take the status of " + key + ": " + reason);
    }
  }
}
