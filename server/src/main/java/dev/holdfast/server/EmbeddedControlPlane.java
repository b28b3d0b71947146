// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.server;

import dev.holdfast.base.Env;
import dev.holdfast.base.SystemTime;
import dev.holdfast.config.HistoryQuery;
import dev.holdfast.config.StateStore;
import dev.holdfast.config.StateStoreException;
import dev.holdfast.controlplane.ControlPlane;
import dev.holdfast.controlplane.ControlPlaneOptions;
import dev.holdfast.controlplane.IncidentHistory;
import dev.holdfast.controlplane.ads.access.AccessPolicy;
import dev.holdfast.controlplane.ads.access.AccessRule;
import dev.holdfast.controlplane.ads.view.ScoutSettings;
import dev.holdfast.controlplane.report.ProblemReport;
import dev.holdfast.controlplane.report.Reports;
import dev.holdfast.controlplane.rollout.trial.RolloutOptions;
import dev.holdfast.controlplane.trace.TraceSpan;
import dev.holdfast.controlplane.translate.TranslationOptions;
import dev.holdfast.controlplane.translate.proto.listener.BindAddress;
import dev.holdfast.server.admin.History;
import dev.holdfast.server.admin.SourceReport;
import dev.holdfast.server.options.ListenAddress;
import dev.holdfast.server.options.ServeOptions;
import dev.holdfast.server.options.StartException;
import dev.holdfast.server.options.StateOptions;
import dev.holdfast.server.scouts.LocalScouts;
import dev.holdfast.server.xds.ScoutDoor;
import io.grpc.BindableService;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * A control plane with a directory or a cluster for its objects, and a file, a cluster or an etcd
 * for its state.
 */
final class EmbeddedControlPlane implements RunningControlPlane {
  private static final Duration LAST_WORDS = Duration.ofSeconds(5);

  private final StateOptions state;
  private final int requestBytes;
  private final StateStore store;
  private final LoggingObjectSource source;
  private final ControlPlane controlPlane;
  private final ObjectSourceFactory sources;
  private final Supplier<String> leader;
  private final List<ExecutorService> threads;
  private final @Nullable LocalScouts scouts;

  private EmbeddedControlPlane(
      ServeOptions options,
      StateStore store,
      LoggingObjectSource source,
      ControlPlane controlPlane,
      ObjectSourceFactory sources,
      Supplier<String> leader,
      List<ExecutorService> threads,
      @Nullable LocalScouts scouts) {
    this.state = options.state();
    this.requestBytes = options.limits().requestBytes();
    this.store = store;
    this.source = source;
    this.controlPlane = controlPlane;
    this.sources = sources;
    this.leader = leader;
    this.threads = threads;
    this.scouts = scouts;
  }

  /**
   * @param store the open state, which is closed with the control plane
   * @param prepared the source, if it was made before; null if not
   * @param leader the replica that leads; empty if there is no election
   */
  static EmbeddedControlPlane start(
      ServeOptions options,
      StateStore store,
      @Nullable ObjectSourceFactory prepared,
      Supplier<String> leader)
      throws StartException {
    List<ExecutorService> threads = new ArrayList<>();
    Env loop = env(thread("holdfast-loop", threads));
    ExecutorService writer = thread("holdfast-state", threads);
    ControlPlane controlPlane;
    ObjectSourceFactory sources;
    LocalScouts scouts = null;
    try {
      scouts = LocalScouts.prepare(options, System.getenv());
      sources =
          prepared == null
              ? ObjectSourceFactory.of(
                  options.source(),
                  options.authors(),
                  env(thread("holdfast-source", threads)),
                  () -> true)
              : prepared;
      controlPlane =
          new ControlPlane(
              loop,
              writer,
              new ControlPlaneOptions(
                      "holdfast-" + ProcessHandle.current().pid(),
                      translation(options),
                      RolloutOptions.defaults()
                          .withDisagreement(options.disagreement())
                          .withScoutProbe(scouts == null ? null : scouts.probe()),
                      options.brake(),
                      options.limits().xds())
                  .withObjectLimits(options.limits().objects())
                  .withAccess(access(options, scouts != null))
                  .withScouts(scouts == null ? ScoutSettings.NO_SINK : scouts.settings())
                  .with(options.authors()),
              store,
              sources.statusSink());
    } catch (StateStoreException e) { // what was opened cannot be understood
      end(threads, store, scouts);
      throw new StartException(String.valueOf(e.getMessage()));
    } catch (StartException e) {
      end(threads, store, scouts);
      throw e;
    }
    LoggingObjectSource source =
        new LoggingObjectSource(sources.source(controlPlane.generations()));
    controlPlane.expect(options.monitoring().expected());
    source.start(controlPlane);
    return new EmbeddedControlPlane(
        options, store, source, controlPlane, sources, leader, threads, scouts);
  }

  private static void end(
      List<ExecutorService> threads, StateStore store, @Nullable LocalScouts scouts) {
    if (scouts != null) {
      scouts.close();
    }
    threads.forEach(ExecutorService::shutdown);
    store.close();
  }

  private static AccessPolicy access(ServeOptions options, boolean hasScouts) {
    if (options.security().withholdsSecrets(options.xds())) {
      return AccessPolicy.withoutSecrets();
    }
    List<AccessRule> rules = new ArrayList<>(options.security().identities());
    if (hasScouts && !rules.isEmpty()) {
      rules.add(0, ScoutDoor.rule());
    }
    return new AccessPolicy(rules);
  }

  static TranslationOptions translation(ServeOptions options) {
    ServeOptions.Listeners listeners = options.listeners();
    return TranslationOptions.defaults()
        .listeningOn(bind(listeners.http()), bind(listeners.https()))
        .withVhds(listeners.vhds())
        .with(listeners.traffic().edge())
        .with(listeners.traffic().settings())
        .forClasses(listeners.ingressClasses());
  }

  private static BindAddress bind(ListenAddress address) {
    return new BindAddress(address.host(), address.port());
  }

  private static Env env(ExecutorService executor) {
    return new Env(executor, SystemTime.instance(), new SplittableRandom());
  }

  private static ExecutorService thread(String name, List<ExecutorService> threads) {
    ExecutorService executor =
        Executors.newSingleThreadExecutor(
            task -> {
              Thread thread = new Thread(task, name);
              thread.setDaemon(true);
              return thread;
            });
    threads.add(executor);
    return executor;
  }

  @Override
  public Reports reports() {
    return controlPlane;
  }

  @Override
  public History history() {
    return query ->
        store.history(new HistoryQuery(query.before(), query.limit(), query.object())).stream()
            .map(
                entry ->
                    new History.Entry(
                        entry.id(),
                        entry.at(),
                        entry.kind().name(),
                        entry.object(),
                        entry.generation(),
                        entry.resource(),
                        entry.proxy(),
                        IncidentHistory.summary(entry),
                        entry.took()))
            .toList();
  }

  @Override
  public List<BindableService> services() {
    List<BindableService> services = new ArrayList<>();
    controlPlane.services().forEach(service -> services.add(() -> service));
    return services;
  }

  @Override
  public void trace(Consumer<TraceSpan> sink) {
    controlPlane.trace(sink);
  }

  @Override
  public void addProblems(Supplier<List<ProblemReport>> problems) {
    controlPlane.addProblems(problems);
  }

  @Override
  public String waitingFor() {
    return sources.waitingFor().get();
  }

  @Override
  public SourceReport source() {
    return sources.report().get().ledBy(leader.get());
  }

  @Override
  public void onListening() throws StartException {
    if (scouts != null) {
      scouts.start(services(), requestBytes);
    }
  }

  @Override
  public String companions() {
    return scouts == null ? "" : scouts.describe();
  }

  @Override
  public String state() {
    return state.toString();
  }

  @Override
  public void close() {
    if (scouts != null) {
      scouts.close();
    }
    source.close();
    controlPlane.close();
    threads.forEach(ExecutorService::shutdown);
    try {
      for (ExecutorService thread : threads) {
        thread.awaitTermination(LAST_WORDS.toMillis(), TimeUnit.MILLISECONDS);
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    store.close();
  }
}
