// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.controlplane;

import dev.holdfast.base.Env;
import dev.holdfast.base.Loop;
import dev.holdfast.base.PersistentMap;
import dev.holdfast.base.TimeSource;
import dev.holdfast.config.ConfigObject;
import dev.holdfast.config.HistoryEntry;
import dev.holdfast.config.LocatedProblem;
import dev.holdfast.config.ObjectChanges;
import dev.holdfast.config.ObjectKey;
import dev.holdfast.config.ObjectSource;
import dev.holdfast.config.StateStore;
import dev.holdfast.config.StatusSink;
import dev.holdfast.config.StoredState;
import dev.holdfast.controlplane.ads.AdsReports;
import dev.holdfast.controlplane.ads.AdsServer;
import dev.holdfast.controlplane.ads.DiscoveryServices;
import dev.holdfast.controlplane.ads.Fleet;
import dev.holdfast.controlplane.ledger.EventLog;
import dev.holdfast.controlplane.ledger.Journal;
import dev.holdfast.controlplane.report.Event;
import dev.holdfast.controlplane.report.ObjectReport;
import dev.holdfast.controlplane.report.ProxyReport;
import dev.holdfast.controlplane.report.Reports;
import dev.holdfast.controlplane.report.ResourceReport;
import dev.holdfast.controlplane.report.Totals;
import dev.holdfast.controlplane.snapshot.Resource;
import dev.holdfast.controlplane.snapshot.ResourceId;
import dev.holdfast.controlplane.snapshot.ResourceType;
import dev.holdfast.controlplane.snapshot.Snapshot;
import dev.holdfast.controlplane.status.ErrorText;
import dev.holdfast.controlplane.status.StatusBoard;
import dev.holdfast.controlplane.translate.Translation;
import io.grpc.ServerServiceDefinition;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Objects in, xDS out. Wires translation, the xDS server, the ledger and the status of objects, and
 * is the only one that knows them all. Everything happens on one loop.
 */
public final class ControlPlane implements ObjectSource.Listener, Reports, AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(ControlPlane.class);

  /** Envoy tries to reconnect at least that often unless it is told otherwise. */
  private static final Duration GATHERING = Duration.ofSeconds(30);

  private final Loop loop;
  private final AdsServer ads;
  private final AdsReports adsReports;
  private final Journal journal;
  private final EventLog events = new EventLog();
  private final StatusBoard board;
  private final Evaluation evaluation;
  private final Env env;

  // Loop only.
  private Translation translation;
  private List<LocatedProblem> sourceProblems = List.of();
  private boolean sourceSpoke;
  private TimeSource.@Nullable Timer gathering;

  private volatile boolean ready;

  /**
   * @param writer runs what blocks: writes to the store, one at a time
   */
  public ControlPlane(
      Env env, Executor writer, ControlPlaneOptions options, StateStore store, StatusSink sink) {
    this.env = env;
    this.loop = new Loop(env.executor(), e -> LOG.error("a bug: the loop goes on", e));
    this.journal = new Journal(store, loop, writer, env.time());
    this.board = new StatusBoard(env.time(), journal, events, sink);
    this.evaluation = new Evaluation(loop, env.time(), this::evaluate);
    this.ads =
        new AdsServer(
            loop,
            env.time(),
            options.identifier(),
            new Ledger(env.time(), journal, events, evaluation));
    this.adsReports = new AdsReports(ads, ErrorText::sanitise);
    this.translation = Translation.empty(options.translation());
    StoredState state = store.load();
    loop.execute(() -> restore(state));
  }

  private void restore(StoredState state) {
    board.restore(state);
    gathering = env.time().schedule(GATHERING, () -> loop.execute(this::gathered));
    state
        .rejections()
        .values()
        .forEach(
            rejection -> {
              ResourceType type = ResourceType.ofTypeUrl(rejection.typeUrl());
              if (type != null) {
                ads.restoreRejection(
                    rejection.nodeId(),
                    new ResourceId(type, rejection.resourceName()),
                    rejection.version(),
                    rejection.message(),
                    rejection.at());
              }
            });
    journal.edit(
        change ->
            change.append(HistoryEntry.of(env.time().now(), HistoryEntry.Kind.SERVER_STARTED)));
  }

  private void gathered() {
    board.gathered();
    evaluation.affectsAll();
  }

  /** The gRPC services that proxies call. */
  public List<ServerServiceDefinition> services() {
    return DiscoveryServices.of(ads);
  }

  // Objects.

  @Override
  public void onChange(ObjectChanges changes) {
    loop.execute(() -> change(changes));
  }

  private void change(ObjectChanges changes) {
    sourceProblems = changes.problems();
    SortedMap<ObjectKey, @Nullable ConfigObject> objects = new TreeMap<>();
    objects.putAll(changes.added());
    objects.putAll(changes.changed());
    objects.values().forEach(board::seen);
    for (ObjectKey key : changes.removed()) {
      objects.put(key, null);
      board.gone(key);
    }
    if (!sourceSpoke) {
      sourceSpoke = true;
      board.allSeen();
    }
    Translation before = translation;
    translation = before.with(objects);
    objects.keySet().forEach(evaluation::affects);
    PersistentMap.diff(
        before.objects(), translation.objects(), (key, was, is) -> evaluation.affects(key));
    ads.publish(translation.snapshot());
    ready = true;
  }

  private void evaluate(@Nullable Collection<ObjectKey> keys) {
    board.evaluate(keys == null ? board.keys() : keys, translation, Fleet.of(ads));
  }

  // Reports.

  private <T> CompletionStage<T> ask(Supplier<T> question) {
    CompletableFuture<T> answer = new CompletableFuture<>();
    loop.execute(
        () -> {
          try {
            answer.complete(question.get());
          } catch (RuntimeException e) {
            answer.completeExceptionally(e);
          }
        });
    return answer;
  }

  @Override
  public CompletionStage<List<ObjectReport>> objects() {
    return ask(
        () -> {
          Fleet fleet = Fleet.of(ads);
          List<ObjectReport> reports = new ArrayList<>();
          for (ObjectKey key : board.keys()) {
            ObjectReport report = board.report(key, translation, fleet);
            if (report != null) {
              reports.add(report);
            }
          }
          return reports;
        });
  }

  @Override
  public CompletionStage<Optional<ObjectReport>> object(ObjectKey key) {
    return ask(() -> Optional.ofNullable(board.report(key, translation, Fleet.of(ads))));
  }

  @Override
  public CompletionStage<List<ProxyReport>> proxies() {
    return ask(adsReports::proxies);
  }

  @Override
  public CompletionStage<List<ResourceReport>> resources() {
    return ask(
        () -> {
          Snapshot snapshot = ads.snapshot();
          List<ResourceReport> reports = new ArrayList<>();
          for (ResourceType type : ResourceType.ALL) {
            snapshot.listed(type).forEach(resource -> reports.add(adsReports.report(resource)));
            snapshot.byName(type).forEach(resource -> reports.add(adsReports.report(resource)));
          }
          return reports;
        });
  }

  @Override
  public CompletionStage<Optional<ResourceReport>> resource(ResourceId id) {
    return ask(
        () -> {
          Resource resource = ads.snapshot().get(id);
          return Optional.ofNullable(resource).map(adsReports::report);
        });
  }

  @Override
  public CompletionStage<Totals> totals() {
    return ask(
        () -> {
          Map<ResourceType, Totals.TypeTotals> byType = new EnumMap<>(ResourceType.class);
          long suppressed = 0;
          for (ResourceType type : ResourceType.ALL) {
            byType.put(type, adsReports.totals(type));
            suppressed += ads.stats(type).suppressed();
          }
          return new Totals(
              board.countByKind(),
              board.countByReason(),
              board.countInvalid(),
              adsReports.proxyCount(),
              adsReports.streamCount(),
              byType,
              suppressed,
              sourceProblems.size());
        });
  }

  @Override
  public CompletionStage<List<LocatedProblem>> sourceProblems() {
    return ask(() -> sourceProblems);
  }

  @Override
  public boolean ready() {
    return ready;
  }

  @Override
  public AutoCloseable watch(Consumer<Event> listener) {
    return events.watch(listener);
  }

  /** Stops, and writes what is still to be written, if that takes no longer than it should. */
  @Override
  public void close() {
    loop.execute(
        () -> {
          evaluation.close();
          if (gathering != null) {
            gathering.cancel();
          }
          ads.close();
          journal.edit(
              change ->
                  change.append(
                      HistoryEntry.of(env.time().now(), HistoryEntry.Kind.SERVER_STOPPED)));
        });
    try {
      if (!journal.flush(Duration.ofSeconds(5))) {
        LOG.warn("stopped before everything was written: {}", journal.problem());
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
