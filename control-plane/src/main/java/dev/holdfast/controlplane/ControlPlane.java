// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.controlplane;

import dev.holdfast.base.Env;
import dev.holdfast.base.Loop;
import dev.holdfast.base.PersistentMap;
import dev.holdfast.base.TimeSource;
import dev.holdfast.config.ClassSpec;
import dev.holdfast.config.Condition;
import dev.holdfast.config.ConfigObject;
import dev.holdfast.config.Generations;
import dev.holdfast.config.HistoryEntry;
import dev.holdfast.config.Holder;
import dev.holdfast.config.LocatedProblem;
import dev.holdfast.config.ObjectChanges;
import dev.holdfast.config.ObjectKey;
import dev.holdfast.config.ObjectSource;
import dev.holdfast.config.Rejection;
import dev.holdfast.config.SourceNote;
import dev.holdfast.config.StateStore;
import dev.holdfast.config.StatusSink;
import dev.holdfast.config.StoredState;
import dev.holdfast.controlplane.ads.AdsReports;
import dev.holdfast.controlplane.ads.AdsServer;
import dev.holdfast.controlplane.ads.fleet.ConnectedFleet;
import dev.holdfast.controlplane.ads.fleet.ProxyGroups;
import dev.holdfast.controlplane.ads.proxy.ProxyNode;
import dev.holdfast.controlplane.ads.stream.Proxy;
import dev.holdfast.controlplane.ads.wire.DiscoveryServices;
import dev.holdfast.controlplane.authors.AuthorRules;
import dev.holdfast.controlplane.authors.ServedContents;
import dev.holdfast.controlplane.brake.BrakeDecision;
import dev.holdfast.controlplane.brake.DeletionBrake;
import dev.holdfast.controlplane.ledger.DecisionProbe;
import dev.holdfast.controlplane.ledger.EventLog;
import dev.holdfast.controlplane.ledger.InternalErrors;
import dev.holdfast.controlplane.ledger.Journal;
import dev.holdfast.controlplane.ledger.ObservedGenerations;
import dev.holdfast.controlplane.log.LimitedLog;
import dev.holdfast.controlplane.log.LogArea;
import dev.holdfast.controlplane.log.LogLine;
import dev.holdfast.controlplane.mask.SensitiveValues;
import dev.holdfast.controlplane.report.DeletionsReport;
import dev.holdfast.controlplane.report.Event;
import dev.holdfast.controlplane.report.FleetReport;
import dev.holdfast.controlplane.report.HoldReport;
import dev.holdfast.controlplane.report.IncidentReport;
import dev.holdfast.controlplane.report.InternalErrorReport;
import dev.holdfast.controlplane.report.ObjectReport;
import dev.holdfast.controlplane.report.ObjectState;
import dev.holdfast.controlplane.report.ProblemReport;
import dev.holdfast.controlplane.report.ProxyReport;
import dev.holdfast.controlplane.report.Reports;
import dev.holdfast.controlplane.report.ResourceReport;
import dev.holdfast.controlplane.report.RetryReport;
import dev.holdfast.controlplane.report.StateProblem;
import dev.holdfast.controlplane.report.Totals;
import dev.holdfast.controlplane.rollout.RolloutManager;
import dev.holdfast.controlplane.rollout.fleet.Evidence;
import dev.holdfast.controlplane.rollout.proxyclass.DivergedProxy;
import dev.holdfast.controlplane.rollout.search.Incident;
import dev.holdfast.controlplane.rollout.trial.Rollout;
import dev.holdfast.controlplane.rollout.trial.StoredLoss;
import dev.holdfast.controlplane.snapshot.Resource;
import dev.holdfast.controlplane.snapshot.ResourceId;
import dev.holdfast.controlplane.snapshot.ResourceType;
import dev.holdfast.controlplane.snapshot.Snapshot;
import dev.holdfast.controlplane.status.ErrorText;
import dev.holdfast.controlplane.status.HoldText;
import dev.holdfast.controlplane.status.StatusBoard;
import dev.holdfast.controlplane.trace.ChangeTraces;
import dev.holdfast.controlplane.trace.TraceSpan;
import dev.holdfast.controlplane.translate.TranslatedObject;
import dev.holdfast.controlplane.translate.Translation;
import dev.holdfast.controlplane.translate.TranslationOptions;
import io.grpc.ServerServiceDefinition;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;
import java.util.function.Consumer;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The control plane: turns objects into xDS resources and serves them to proxies. It wires
 * translation, rollout, the xDS server, the journal and the status of objects, and is the only
 * class that knows all of them. All of its state lives on one loop.
 */
public final class ControlPlane implements ObjectSource.Listener, Reports, AutoCloseable {

  /**
   * By default Envoy tries to reconnect at least this often. A proxy that has not reconnected by
   * then counts as gone.
   */
  private static final Duration RECONNECT_GRACE = Duration.ofSeconds(30);

  private static final HistoryEntry.Kind ADMIN_ACTION = new HistoryEntry.Kind("ADMIN_ACTION");
  private static final String PROGRAMMED = "Programmed";
  private static final String WITHHELD =
      "proxies get no certificates for their HTTPS hosts: the xDS port is open to other machines"
          + " and not encrypted (use --xds-certificate and --xds-key, or --insecure-sds if nobody"
          + " else can reach the port)";

  /** The events that tell what became of a generation of an object. */
  private static final Set<String> SERVED_STATUSES = Set.of("programmed", "recovered");

  private static final Set<String> COMINGS = Set.of("proxy-connected", "proxy-disconnected");

  private static final Set<String> STATUSES =
      Set.of("programmed", "recovered", "rejected", "invalid");

  private static final Duration STATUS_RETRY = Duration.ofSeconds(1);

  private final InternalErrors internalErrors;
  private final DecisionProbe probe;
  private final Loop loop;
  private final AdsServer ads;
  private final AdsReports adsReports;
  private final Journal journal;
  private final EventLog events = new EventLog();
  private final StatusBoard board;
  private final StatusScheduler statusScheduler;
  private final RolloutManager rollouts;
  private final ManualRetry manualRetry;
  private final SensitiveValues sensitive;
  private final LimitedLog limitedLog;
  private final RolloutLog rolloutLog;
  private final ObjectQuota objectQuota;
  private final DeletionBrake brake;
  private final DeletionRecorder deletions;
  private final SourceNotes sourceNotes;
  private final ServedContents servedContents = new ServedContents();
  private final Env env;
  private final ProblemReports problemReports;
  private final ObservedGenerations generations;
  private final boolean withholdsSecrets;

  /** Whether proxies that take it get each host without TLS as a resource of its own. */
  private final boolean vhds;

  private final Instant started;
  private final ChangeTraces traces;
  private final ExpectedProxies expected;

  // The fields below are read and written on the loop only.
  private final SortedMap<ObjectKey, ConfigObject> waited = new TreeMap<>();
  private boolean sourceReported;
  private boolean checkScheduled;
  private TimeSource.@Nullable Timer reconnectTimer;

  private volatile boolean ready;
  private volatile Supplier<List<ProblemReport>> serverProblems = List::of;

  /**
   * @param writer runs blocking work, namely writes to the store, one task at a time
   */
  public ControlPlane(
      Env env, Executor writer, ControlPlaneOptions options, StateStore store, StatusSink sink) {
    this.env = env;
    this.started = env.time().now();
    this.expected = new ExpectedProxies(env.time());
    this.traces = new ChangeTraces(env.time(), env.random()::nextLong);
    this.withholdsSecrets = options.access().withholdsSecrets();
    this.vhds = options.translation().vhds();
    this.internalErrors = new InternalErrors(env.time());
    this.probe = options.probe();
    this.problemReports = new ProblemReports(env.time());
    this.generations = new ObservedGenerations(store.generations(), env.time());
    this.loop = new Loop(env.executor(), e -> internalErrors.add("running a task of the loop", e));
    this.journal =
        new Journal(
            store,
            loop,
            writer,
            env.time(),
            internalErrors,
            options.probe(),
            options.objectLimits().historyEntry(),
            () -> countRefusal("historyEntry"));
    this.board = new StatusBoard(env.time(), journal, events, sink);
    this.statusScheduler = new StatusScheduler(loop, env.time(), this::evaluate);
    this.sensitive = new SensitiveValues(env.time());
    this.limitedLog = new LimitedLog(env.time(), loop, LogLine::log);
    this.rolloutLog = new RolloutLog(env.time(), loop);
    this.ads =
        new AdsServer(
            loop,
            env.time(),
            env.random(),
            options.identifier(),
            new ProxyRecorder(
                env.time(),
                journal,
                events,
                statusScheduler,
                limitedLog,
                internalErrors,
                traces,
                proxyListener()),
            sensitive::mask,
            options.limits(),
            options.access(),
            options.scouts(),
            options.translation().vhds(),
            options.probe());
    this.adsReports =
        new AdsReports(
            ads, ErrorText::sanitise, this::divergedInWords, this::isNew, this::scoutInWords);
    this.rollouts =
        new RolloutManager(
            options.rollout().withProbe(options.probe()),
            Translation.empty(translation(options)),
            new ConnectedFleet(ads, this::checkLater),
            env.time(),
            loop,
            new RolloutRecorder(
                env.time(),
                journal,
                events,
                board,
                statusScheduler,
                internalErrors,
                rolloutLog,
                traces),
            ErrorText::sanitise);
    this.manualRetry = new ManualRetry(rollouts, ads, journal, events, env.time());
    this.objectQuota = new ObjectQuota(options.objectLimits().objects());
    this.brake =
        new DeletionBrake(options.brake(), env.time(), key -> rollouts.common().servedObject(key));
    this.deletions = new DeletionRecorder(brake, board, env.time(), journal, events);
    this.sourceNotes = new SourceNotes(board, env.time());
    StoredState state = store.load();
    SortedMap<Holder, String> heldVersions = ShutdownState.take(store, state);
    List<Incident> incidents = IncidentHistory.read(store);
    loop.execute(
        () -> {
          rollouts.restoreIncidents(incidents);
          restore(state);
          ads.restoreConfirmed(heldVersions);
        });
  }

  /** What is served now stays, if the rules for authors have become stricter. */
  private TranslationOptions translation(ControlPlaneOptions options) {
    TranslationOptions translation = options.translation();
    AuthorRules authors = new AuthorRules(options.authors(), servedContents);
    return translation.with(translation.settings().withAuthors(authors));
  }

  private void countRefusal(String limit) {
    ads.refusals().count(limit);
  }

  private ProxyRecorder.ProxyListener proxyListener() {
    return new ProxyRecorder.ProxyListener() {
      @Override
      public void proxyConnected(String proxyClass) {
        rollouts.connected(proxyClass);
      }

      @Override
      public void clientConnected(String node) {
        rollouts.clientConnected(node);
      }

      @Override
      public void proxyStartedAnew(String node) {
        rollouts.startedAnew(node);
      }

      @Override
      public void proxyDisconnected(String node, String proxyClass) {
        rollouts.disconnected(node, proxyClass);
      }

      @Override
      public boolean isScout(String node) {
        Proxy proxy = ads.proxy(node);
        return proxy != null && proxy.isScout();
      }

      @Override
      public void scoutStartedAnew(String node) {
        rollouts.scoutStartedAnew(node);
      }

      @Override
      public void scoutDisconnected(String node, String proxyClass) {
        rollouts.scoutDisconnected(node, proxyClass);
      }

      @Override
      public boolean sharesNodeId(String node) {
        return ads.sharesNodeId(node);
      }

      @Override
      public boolean mayVote(String node) {
        return ads.mayVote(node);
      }

      @Override
      public boolean counts(String proxyClass) {
        return rollouts.hasSay(proxyClass);
      }

      @Override
      public void proxyActivity() {
        checkLater();
      }
    };
  }

  /**
   * The connected proxies that count: what a proxy rejects that has diverged, or whose class is
   * new, does not count against any object.
   */
  private ProxyGroups fleet() {
    return ProxyGroups.of(
        ads,
        node -> ads.mayVote(node.id()) && rollouts.hasSay(node.proxyClass()),
        node -> diverged(node.id()) != null);
  }

  /** Whether proxies of a class do not count yet. */
  private boolean isNew(String proxyClass) {
    return !rollouts.hasSay(proxyClass);
  }

  /** What a scout does for its class. */
  private String scoutInWords(ProxyNode node) {
    return switch (rollouts.partOfScout(node.id())) {
      case FIRST -> "";
      case STARTING -> "does not run everything that it is shown; a canary stands in for it";
      case OF_NO_USE -> "no proxy of its class is connected";
      case DIVERGED ->
          "rejects what the proxies of its class run; a canary stands in for it until it connects"
              + " again";
    };
  }

  /** The same with everything that the proxy does not get in its message. */
  private @Nullable DivergedProxy divergedInWords(String node) {
    DivergedProxy proxy = diverged(node);
    String lacks = proxy == null ? "" : HoldText.lacks(rollouts.heldForProxy(node));
    return proxy == null || lacks.isEmpty()
        ? proxy
        : proxy.withMessage(proxy.message() + "; this proxy gets everything but " + lacks);
  }

  private @Nullable DivergedProxy diverged(String node) {
    return rollouts.diverged().get(node);
  }

  private void restore(StoredState state) {
    board.restore(state);
    state.accepted().values().forEach(servedContents::add);
    state.accepted().values().forEach(spec -> sensitive.addServed(spec.object()));
    for (ClassSpec served : state.byClass().values()) {
      if (served.spec() != null) {
        servedContents.add(served.spec());
        sensitive.addServed(served.spec().object());
      }
    }
    sourceNotes.restore(state);
    objectQuota.restore(state.accepted().keySet());
    brake.restore(state.accepted(), DeletionRecorder.waited(state));
    reconnectTimer =
        env.time().schedule(RECONNECT_GRACE, () -> loop.execute(this::endReconnectGrace));
    List<Evidence> evidence = new ArrayList<>();
    List<StoredLoss> lost = new ArrayList<>();
    for (Rejection rejection : state.rejections().values()) {
      if (LossText.isLoss(rejection)) {
        LossText.read(rejection).ifPresent(lost::add);
        continue;
      }
      ResourceType type = ResourceType.ofTypeUrl(rejection.typeUrl());
      if (type == null) {
        continue;
      }
      ResourceId id = new ResourceId(type, rejection.resourceName());
      if (RolloutRecorder.isEvidence(rejection)) {
        evidence.add(RolloutRecorder.evidence(rejection, id));
      } else {
        ads.restoreRejection(
            rejection.nodeId(), id, rejection.version(), rejection.message(), rejection.at());
      }
    }
    rollouts.restore(
        state.accepted(),
        state.byClass().values(),
        new TreeSet<>(state.classes().keySet()),
        evidence);
    rollouts.restoreLosses(lost);
    journal.edit(
        change ->
            ShutdownState.remove(state, change)
                .append(HistoryEntry.of(env.time().now(), HistoryEntry.Kind.SERVER_STARTED)));
  }

  private void endReconnectGrace() {
    board.endReconnectGrace();
    ads.forgetRestored();
    statusScheduler.scheduleAll();
  }

  /**
   * Lists further problems, of the server around this, among those of the objects.
   *
   * @param problems is asked on the loop
   */
  public void addProblems(Supplier<List<ProblemReport>> problems) {
    serverProblems = problems;
  }

  /**
   * Follows each change of an object from now on.
   *
   * @param sink is given the spans on the loop, so it must neither wait nor throw
   */
  public void trace(Consumer<TraceSpan> sink) {
    loop.execute(
        () -> {
          traces.start(sink, e -> internalErrors.add("handing on a span", e));
          events.watch(this::traceStatus);
        });
  }

  /**
   * Tells from now on when proxies are missing.
   *
   * @param fleets how many there should be, by the cluster of their nodes
   */
  public void expect(SortedMap<String, Integer> fleets) {
    loop.execute(
        () -> {
          expected.expect(fleets);
          events.watch(
              event -> {
                if (expected.any() && COMINGS.contains(event.kind())) {
                  expected.count(adsReports.clusters());
                }
              });
        });
  }

  @Override
  public CompletionStage<List<FleetReport>> fleets() {
    return onLoop(expected::reports);
  }

  private void traceStatus(Event event) {
    ObjectKey key = event.object();
    if (key != null && STATUSES.contains(event.kind())) {
      traces.shown(
          key,
          event.generation(),
          SERVED_STATUSES.contains(event.kind()) ? "" : ErrorText.sanitise(event.message()));
    }
  }

  /** The gRPC services that proxies call. */
  public List<ServerServiceDefinition> services() {
    return DiscoveryServices.of(ads);
  }

  // Objects.

  @Override
  public void onChange(ObjectChanges changes) {
    Instant received = env.time().now();
    loop.execute(() -> apply(changes, received));
  }

  private void apply(ObjectChanges changes, Instant received) {
    problemReports.sourceProblems(changes.problems());
    SortedMap<ObjectKey, SourceNote> notes = new TreeMap<>(changes.notes());
    // Conditions are shown when they are stored, so a condition cannot tell that nothing is.
    notes.values().removeIf(note -> note.reason().equals(SourceNote.NOT_STORED));
    problemReports.waitingEdits(changes.notes());
    ObjectChanges limited = objectQuota.limit(changes);
    List<ConfigObject> edited = traces.isOn() && sourceReported ? edited(limited) : List.of();
    traces.changed(edited, received);
    apply(sourceReported ? brake.change(limited) : brake.first(limited));
    traces.translated(edited);
    showWaiting();
    sourceNotes.show(notes, brake.unseen());
    // Nothing known, and perhaps more to come, is no configuration: proxies that run one keep it.
    if (changes.complete() || !board.keys().isEmpty()) {
      ready = true;
    }
  }

  /** The objects of which a new generation was read. */
  private List<ConfigObject> edited(ObjectChanges changes) {
    Translation before = rollouts.common().desired();
    return Stream.concat(changes.added().values().stream(), changes.changed().values().stream())
        .filter(
            object -> {
              TranslatedObject known = before.objects().get(object.key());
              return known == null || known.generation() != object.generation();
            })
        .toList();
  }

  /** Tells the authors of objects that there is no room for. */
  private void showWaiting() {
    SortedMap<ObjectKey, ConfigObject> waiting = objectQuota.waiting();
    for (ConfigObject object : waiting.values()) {
      ConfigObject before = waited.put(object.key(), object);
      if (object.equals(before)) {
        continue;
      }
      if (before == null) {
        countRefusal("objects");
      }
      board.put(object);
      board.note(
          object.key(),
          PROGRAMMED,
          new Condition(
              PROGRAMMED,
              Condition.Status.FALSE,
              "TooManyObjects",
              objectQuota.reason(),
              object.generation(),
              env.time().now()));
    }
    for (ObjectKey key : List.copyOf(waited.keySet())) {
      if (!waiting.containsKey(key)) {
        waited.remove(key);
        if (!rollouts.knows(key)) {
          board.remove(key);
        }
      }
    }
  }

  private void apply(BrakeDecision decision) {
    SortedMap<ObjectKey, @Nullable ConfigObject> objects = new TreeMap<>(decision.put());
    for (ConfigObject object : decision.put().values()) {
      board.put(object);
      sensitive.put(object);
    }
    for (ObjectKey key : decision.removed()) {
      objects.put(key, null);
      board.remove(key);
      sensitive.remove(key);
      servedContents.remove(key);
    }
    sensitive.forget(rollouts::serves);
    deletions.record(decision);
    boolean first = !sourceReported;
    sourceReported = true;
    if (first) {
      board.sourceComplete();
    }
    Rollout common = rollouts.common();
    Translation before = common.desired();
    rollouts.change(objects);
    if (first) {
      ads.restoreServed(common.baseline().snapshot(), common.desired().snapshot());
    }
    PersistentMap.diff(
        before.objects(),
        common.desired().objects(),
        (key, was, is) -> statusScheduler.schedule(key));
  }

  /**
   * Checks the rollouts after the end of this turn, once all requests of this turn have been
   * handled. A request that arrives in a later turn, but before that check has run, schedules
   * another check.
   */
  private void checkLater() {
    if (!checkScheduled) {
      checkScheduled = true;
      loop.atEndOfTurn(
          () -> {
            checkScheduled = false;
            loop.execute(rollouts::check);
          });
    }
  }

  private void evaluate(@Nullable Collection<ObjectKey> keys) {
    Set<ObjectKey> failed = new TreeSet<>();
    board.evaluate(
        keys == null ? board.keys() : keys,
        rollouts,
        fleet(),
        key -> probe.at(DecisionProbe.Point.STATUS),
        (key, error) -> {
          internalErrors.add("evaluating the status of " + key, error);
          failed.add(key);
        });
    if (!failed.isEmpty()) {
      env.time()
          .schedule(
              STATUS_RETRY, () -> loop.execute(() -> failed.forEach(statusScheduler::schedule)));
    }
  }

  // Reports.

  private <T> CompletionStage<T> onLoop(Supplier<T> query) {
    CompletableFuture<T> result = new CompletableFuture<>();
    loop.execute(
        () -> {
          try {
            result.complete(query.get());
          } catch (RuntimeException e) {
            result.completeExceptionally(e);
          }
        });
    return result;
  }

  @Override
  public CompletionStage<List<ObjectReport>> objects() {
    return onLoop(
        () -> {
          ProxyGroups fleet = fleet();
          List<ObjectReport> reports = new ArrayList<>();
          for (ObjectKey key : board.keys()) {
            ObjectReport report = board.report(key, rollouts, fleet);
            if (report != null) {
              reports.add(problemReports.withSourceProblems(report));
            }
          }
          return reports;
        });
  }

  @Override
  public CompletionStage<Optional<ObjectReport>> object(ObjectKey key) {
    return onLoop(
        () ->
            Optional.ofNullable(board.report(key, rollouts, fleet()))
                .map(report -> report.withDiff(board.diff(key, rollouts)))
                .map(problemReports::withSourceProblems));
  }

  @Override
  public CompletionStage<List<ProxyReport>> proxies() {
    return onLoop(adsReports::proxies);
  }

  @Override
  public CompletionStage<List<ResourceReport>> resources() {
    return onLoop(
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
    return onLoop(
        () -> {
          Resource resource = ads.snapshot().get(id);
          return Optional.ofNullable(resource)
              .map(adsReports::report)
              .map(report -> report.withLocations(board.locations(report.resource())));
        });
  }

  @Override
  public CompletionStage<List<HoldReport>> holds() {
    return onLoop(
        () ->
            RolloutReports.holds(rollouts).stream()
                .map(hold -> hold.since(board.heldBefore(hold.key(), hold.generation())))
                .toList());
  }

  @Override
  public CompletionStage<List<IncidentReport>> incidents() {
    return onLoop(() -> RolloutReports.incidents(rollouts));
  }

  @Override
  public CompletionStage<RetryReport> retry(ObjectKey key) {
    return onLoop(() -> manualRetry.retry(key));
  }

  @Override
  public CompletionStage<DeletionsReport> deletions() {
    return onLoop(deletions::report);
  }

  @Override
  public CompletionStage<Optional<DeletionsReport>> confirmDeletions(String set) {
    return onLoop(
        () -> {
          DeletionsReport waiting = deletions.report();
          if (waiting.items().isEmpty() || !(set.isEmpty() || set.equals(waiting.set()))) {
            return Optional.empty();
          }
          apply(brake.confirm());
          return Optional.of(waiting);
        });
  }

  @Override
  public CompletionStage<Totals> totals() {
    return onLoop(
        () -> {
          Map<ResourceType, Totals.TypeTotals> byType = new EnumMap<>(ResourceType.class);
          long suppressed = 0;
          for (ResourceType type : ResourceType.ALL) {
            if (type == ResourceType.VIRTUAL_HOST && !vhds) {
              continue;
            }
            byType.put(type, adsReports.totals(type));
            suppressed += ads.stats(type).suppressed();
          }
          List<ObjectReport> objects = board.reports(rollouts);
          List<ProblemReport> problems = problems(objects);
          return new Totals(
              board.countByKind(),
              board.countByReason(),
              board.countInvalid(),
              adsReports.proxyCount(),
              adsReports.streamCount(),
              adsReports.unableCount(),
              rollouts.diverged().size(),
              byType,
              suppressed,
              RolloutReports.held(rollouts),
              rollouts.searches(),
              problemReports.sourceProblems().size(),
              ObjectState.count(objects),
              ProblemReport.count(problems, ProblemReport.Severity.PROBLEM),
              ProblemReport.count(problems, ProblemReport.Severity.WARNING));
        });
  }

  @Override
  public CompletionStage<List<ProblemReport>> problems() {
    return onLoop(() -> problems(board.reports(rollouts)));
  }

  private List<ProblemReport> problems(List<ObjectReport> objects) {
    List<ProblemReport> problems = problemReports.all(objects, adsReports.proxies());
    rollouts
        .missingScouts()
        .forEach((proxyClass, since) -> problems.add(ProblemReports.noScout(proxyClass, since)));
    problems.addAll(expected.problems());
    problems.addAll(0, serverProblems.get());
    if (withholdsSecrets && hasSecrets()) {
      problems.add(0, ProblemReport.ofServer(ProblemReport.SECRETS_WITHHELD, WITHHELD, started));
    }
    StateProblem state = stateProblem();
    if (state != null) {
      problems.add(0, ProblemReport.ofState(state));
    }
    return problems;
  }

  private boolean hasSecrets() {
    boolean[] any = {false};
    ads.snapshot().listed(ResourceType.SECRET).forEach(secret -> any[0] = true);
    ads.snapshot().byName(ResourceType.SECRET).forEach(secret -> any[0] = true);
    return any[0];
  }

  @Override
  public CompletionStage<List<LocatedProblem>> sourceProblems() {
    return onLoop(problemReports::sourceProblems);
  }

  @Override
  public @Nullable StateProblem stateProblem() {
    StateProblem unwritten = journal.problem();
    StateProblem unnumbered = generations.problem();
    if (unwritten == null || unnumbered == null) {
      return unwritten == null ? unnumbered : unwritten;
    }
    return unwritten.since().isAfter(unnumbered.since()) ? unnumbered : unwritten;
  }

  /** The generations in the store, for the source of the objects. */
  public Generations generations() {
    return generations;
  }

  @Override
  public InternalErrorReport internalErrors() {
    return internalErrors.report();
  }

  @Override
  public SortedMap<String, Long> refusals() {
    return ads.refusals().byLimit();
  }

  @Override
  public void audited(String line, @Nullable ObjectKey object) {
    loop.execute(
        () -> {
          HistoryEntry entry = HistoryEntry.of(env.time().now(), ADMIN_ACTION).withMessage(line);
          HistoryEntry about = object == null ? entry : entry.withObject(object, 0);
          journal.edit(change -> change.append(about));
          journal.whenDurable(() -> events.publish(about));
        });
  }

  @Override
  public boolean ready() {
    return ready;
  }

  @Override
  public AutoCloseable watch(Consumer<Event> listener) {
    return events.watch(listener);
  }

  /**
   * Stops the control plane and writes what is still pending, but waits for the store no longer
   * than a few seconds.
   */
  @Override
  public void close() {
    loop.execute(
        () -> {
          statusScheduler.close();
          limitedLog.close();
          rolloutLog.close();
          rollouts.close();
          if (reconnectTimer != null) {
            reconnectTimer.cancel();
          }
          ShutdownState.write(ads.close(), journal, env.time());
        });
    try {
      if (!journal.flush(Duration.ofSeconds(5))) {
        StateProblem problem = journal.problem();
        LogArea.STATE
            .warn("not-written")
            .log(
                "stopped before all state was written: "
                    + (problem == null ? "the store takes long" : problem.message()));
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
