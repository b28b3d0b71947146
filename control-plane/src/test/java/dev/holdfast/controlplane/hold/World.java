// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.controlplane.hold;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.base.Env;
import dev.holdfast.config.Condition;
import dev.holdfast.config.ConfigObject;
import dev.holdfast.config.Digest;
import dev.holdfast.config.Generations;
import dev.holdfast.config.HistoryEntry;
import dev.holdfast.config.HistoryQuery;
import dev.holdfast.config.LocatedProblem;
import dev.holdfast.config.ObjectChanges;
import dev.holdfast.config.ObjectKey;
import dev.holdfast.config.ObjectStatus;
import dev.holdfast.config.SourceNote;
import dev.holdfast.config.StateStore;
import dev.holdfast.controlplane.ControlPlane;
import dev.holdfast.controlplane.ControlPlaneOptions;
import dev.holdfast.controlplane.authors.AuthorPolicy;
import dev.holdfast.controlplane.ledger.DecisionProbe;
import dev.holdfast.controlplane.report.DeletionsReport;
import dev.holdfast.controlplane.report.HoldReport;
import dev.holdfast.controlplane.report.IncidentReport;
import dev.holdfast.controlplane.report.InternalErrorReport;
import dev.holdfast.controlplane.report.ObjectReport;
import dev.holdfast.controlplane.report.ProblemReport;
import dev.holdfast.controlplane.report.ProxyReport;
import dev.holdfast.controlplane.report.Totals;
import dev.holdfast.controlplane.rollout.fleet.ScoutProbe;
import dev.holdfast.controlplane.rollout.trial.RolloutOptions;
import dev.holdfast.controlplane.trace.TraceSpan;
import dev.holdfast.controlplane.translate.TranslationOptions;
import dev.holdfast.testkit.ManualExecutor;
import dev.holdfast.testkit.ManualTime;
import dev.holdfast.testkit.envoy.EnvoyOptions;
import dev.holdfast.testkit.envoy.FakeEnvoy;
import dev.holdfast.testkit.envoy.ReceivedResponse;
import dev.holdfast.testkit.envoy.Validator;
import io.envoyproxy.envoy.config.route.v3.RouteConfiguration;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * A control plane, its store and fake Envoys. Everything that happens is a task in one queue: what
 * the control plane does, what Envoys do, each message and each write.
 */
final class World {
  /** Longer than anything waits that is not a matter of patience. */
  private static final Duration A_WHILE = Duration.ofSeconds(1);

  private static final Duration TICK = Duration.ofMillis(20);

  final ManualTime time = new ManualTime();
  private final ManualExecutor executor = new ManualExecutor();
  final Wiring wiring = new Wiring(executor);
  private StateStore store = StateStore.inMemory();
  private final Map<String, FakeEnvoy> envoys = new LinkedHashMap<>();
  private SortedMap<ObjectKey, ConfigObject> live = new TreeMap<>();
  private @Nullable Life life;
  private boolean readable = true;

  /** Is passed before each decision of the control plane. */
  DecisionProbe probe = DecisionProbe.NONE;

  /** Whether proxies that take it get hosts one by one, from the next start on. */
  boolean vhds = Boolean.getBoolean("vhds");

  /** What authors may write, from the next start on. */
  AuthorPolicy authors = AuthorPolicy.NONE;

  /** Sends requests through scouts, from the next start on; null if nobody does. */
  @Nullable ScoutProbe scoutProbe;

  /** What was told of objects, in order, as NAME: MESSAGE. */
  final List<String> told = new ArrayList<>();

  /** What runs after each task; for what must be true at all times. */
  Runnable watch = () -> {};

  // The control plane.

  /** Starts the control plane, which reads all objects there are. */
  World up() {
    Life next = new Life(executor);
    ControlPlane plane =
        new ControlPlane(
            new Env(next, time, new SplittableRandom(1)),
            next,
            new ControlPlaneOptions(
                    "test",
                    TranslationOptions.defaults().withVhds(vhds),
                    RolloutOptions.defaults().withScoutProbe(scoutProbe))
                .with(authors)
                .withProbe(point -> probe.at(point)),
            store,
            statuses -> statuses.forEach((key, status) -> told.add(told(key, status))));
    next.plane = plane;
    life = next;
    wiring.connect(plane.services());
    plane.onChange(
        ObjectChanges.between(new TreeMap<>(), live, List.of()).with(new TreeMap<>(), readable));
    return this;
  }

  /** So many proxies should be there, by their cluster. */
  World expect(SortedMap<String, Integer> fleets) {
    plane().expect(fleets);
    return run();
  }

  /** Follows changes from now on. */
  World trace(Consumer<TraceSpan> spans) {
    plane().trace(spans);
    return run();
  }

  /** From now on, the source can be read in full, or it cannot. */
  World readable(boolean how) {
    readable = how;
    return this;
  }

  /** The source has something to say of an object. */
  World note(ObjectKey key, SourceNote note) {
    plane()
        .onChange(
            ObjectChanges.between(live, live, List.of())
                .with(new TreeMap<>(Map.of(key, note)), readable));
    return this;
  }

  /** A condition of an object as STATUS/REASON MESSAGE; empty if it has none of that type. */
  String condition(ObjectKey key, String type) {
    return ask(plane().object(key)).stream()
        .flatMap(report -> report.conditions().stream())
        .filter(condition -> condition.type().equals(type))
        .map(one -> one.status() + "/" + one.reason() + " " + one.message())
        .findFirst()
        .orElse("");
  }

  private static String told(ObjectKey key, ObjectStatus status) {
    Condition programmed = status.condition("Programmed");
    return key.name() + ": " + (programmed == null ? "" : programmed.message());
  }

  /** Ends it without a word: it does not see its connections break. */
  void kill() {
    life().die();
    wiring.cut();
    life = null;
  }

  /** Lets it end by itself: it does what it has yet to do, which is to write, and nothing else. */
  void terminate() {
    life().hurry();
    plane().close();
    wiring.cut();
    life = null;
  }

  /** Loses what the control plane knew. */
  void forget() {
    store = StateStore.inMemory();
    number(live);
  }

  private Life life() {
    if (life == null) {
      throw new IllegalStateException("the control plane is down");
    }
    return life;
  }

  private ControlPlane plane() {
    ControlPlane plane = life().plane;
    if (plane == null) {
      throw new IllegalStateException("the control plane is not up yet");
    }
    return plane;
  }

  boolean isUp() {
    return life != null;
  }

  // Objects.

  /** Puts objects in place of those of the same names. */
  World write(String yaml) {
    SortedMap<ObjectKey, ConfigObject> next = new TreeMap<>(live);
    next.putAll(Objects.read(yaml));
    return become(next);
  }

  World delete(ObjectKey key) {
    SortedMap<ObjectKey, ConfigObject> next = new TreeMap<>(live);
    next.remove(key);
    return become(next);
  }

  /** The source has a problem, and no object changes. */
  void complain(LocatedProblem problem) {
    complain(problem, new TreeMap<>());
  }

  /** The same, and the source says something of objects. */
  void complain(LocatedProblem problem, SortedMap<ObjectKey, SourceNote> notes) {
    plane().onChange(ObjectChanges.between(live, live, List.of(problem)).with(notes, readable));
  }

  /** Deletes all objects. */
  World deleteAll() {
    return become(new TreeMap<>());
  }

  private World become(SortedMap<ObjectKey, ConfigObject> next) {
    SortedMap<ObjectKey, ConfigObject> before = live;
    number(next);
    if (life != null) {
      plane()
          .onChange(ObjectChanges.between(before, live, List.of()).with(new TreeMap<>(), readable));
    }
    return this;
  }

  private void number(SortedMap<ObjectKey, ConfigObject> objects) {
    Map<ObjectKey, String> digests = new HashMap<>();
    objects.forEach((key, object) -> digests.put(key, Digest.of(object.body())));
    SortedMap<ObjectKey, ConfigObject> numbered = new TreeMap<>();
    Map<ObjectKey, Generations.Generation> generations =
        store.generations().assign(digests, time.now());
    objects.forEach(
        (key, object) -> {
          Generations.Generation generation = generations.get(key);
          if (generation != null) {
            numbered.put(key, object.with(generation.number(), generation.created()));
          }
        });
    live = numbered;
  }

  // Envoys.

  /** An Envoy that comes back soon after it lost its stream. */
  FakeEnvoy join(String node, boolean delta) {
    return join(delta ? EnvoyOptions.delta(node) : EnvoyOptions.sotw(node));
  }

  /** One with such options. */
  FakeEnvoy join(EnvoyOptions options) {
    return join(options, Validator.on(RouteConfiguration.class, World::unspeakable));
  }

  /** The same with something that it does not take. */
  FakeEnvoy join(String node, boolean delta, Validator validator) {
    return join(delta ? EnvoyOptions.delta(node) : EnvoyOptions.sotw(node), validator);
  }

  /** A proxy that serves nobody. */
  FakeEnvoy scout(String node, boolean delta, Validator validator) {
    EnvoyOptions options = delta ? EnvoyOptions.delta(node) : EnvoyOptions.sotw(node);
    return join(options.withRole("scout"), validator);
  }

  /** The same with something that it does not take. */
  FakeEnvoy join(EnvoyOptions options, Validator validator) {
    FakeEnvoy envoy =
        FakeEnvoy.start(
            options
                .withTimes(Duration.ofSeconds(15), Duration.ofMillis(50))
                .withValidator(validator),
            new Env(executor, time, new SplittableRandom(1)),
            wiring);
    envoys.put(options.nodeId(), envoy);
    return envoy;
  }

  /** One that joined. */
  FakeEnvoy envoy(String node) {
    FakeEnvoy envoy = envoys.get(node);
    if (envoy == null) {
      throw new IllegalArgumentException(node);
    }
    return envoy;
  }

  /** An Envoy leaves for good. */
  void part(String node) {
    envoy(node).close();
    envoys.remove(node);
  }

  private static @Nullable String unspeakable(RouteConfiguration routes) {
    return routes.getVirtualHostsList().stream()
            .flatMap(host -> host.getRoutesList().stream())
            .anyMatch(route -> route.getDirectResponse().getStatus() == Objects.UNSPEAKABLE)
        ? "there is something wrong with a route"
        : null;
  }

  // Time.

  /** Does the next thing that is to be done; false if there is none. */
  boolean step() {
    boolean more = executor.runOne();
    if (more) {
      watch.run();
    }
    return more;
  }

  /** The same, after waiting until there is something to be done; false if nothing is for long. */
  boolean stepOrWait() {
    for (int waits = 0; executor.pending() == 0; waits++) {
      if (waits == 50) {
        return false;
      }
      time.advance(Duration.ofMillis(10));
    }
    return step();
  }

  /** Does all there is to be done now. */
  World run() {
    while (step()) {}
    return this;
  }

  /** Lets time go by, doing what is to be done. */
  World advance(Duration by) {
    time.advance(by, this::run);
    return this;
  }

  /** Lets enough time go by for everything to settle. */
  World settle() {
    run();
    for (Duration gone = Duration.ZERO; gone.compareTo(A_WHILE) < 0; gone = gone.plus(TICK)) {
      advance(TICK);
    }
    return this;
  }

  /** Lets time go by until something is true; fails if it never is. */
  Duration await(String what, java.util.function.BooleanSupplier condition) {
    long began = time.nanoTime();
    run();
    while (!condition.getAsBoolean()) {
      Duration gone = Duration.ofNanos(time.nanoTime() - began);
      assertThat(gone).as("time until %s", what).isLessThan(Duration.ofMinutes(2));
      advance(Duration.ofMillis(1));
    }
    return Duration.ofNanos(time.nanoTime() - began);
  }

  /** Does all there is to be done, with so much time going by after each task. */
  World runSlowly(Duration each) {
    while (step()) {
      time.advance(each);
    }
    return this;
  }

  // What is seen.

  /** What the history says of an object, oldest first. */
  List<HistoryEntry> history(ObjectKey key) {
    List<HistoryEntry> entries =
        new ArrayList<>(store.history(HistoryQuery.newest(1000).about(key)));
    Collections.reverse(entries);
    return entries;
  }

  private <T> T ask(CompletionStage<T> question) {
    AtomicReference<@Nullable T> answer = new AtomicReference<>();
    question.thenAccept(answer::set);
    Runnable watching = watch;
    watch = () -> {};
    run();
    watch = watching;
    T value = answer.get();
    if (value == null) {
      throw new AssertionError("no answer");
    }
    return value;
  }

  /** The connected proxies. */
  List<ProxyReport> proxies() {
    return ask(plane().proxies());
  }

  /** What is held, as NAME@GENERATION/SERVED REASON. */
  List<String> held() {
    List<String> held = new ArrayList<>();
    for (HoldReport hold : ask(plane().holds())) {
      held.add(
          hold.key().name()
              + "@"
              + hold.generation()
              + "/"
              + hold.servedGeneration()
              + " "
              + hold.reason());
    }
    return held;
  }

  /** What is held, with everything that is told of it. */
  List<HoldReport> holdReports() {
    return ask(plane().holds());
  }

  /** The objects whose deletion waits. */
  DeletionsReport deletions() {
    return ask(plane().deletions());
  }

  /** Confirms the deletions that the caller has seen; false if that changed nothing. */
  boolean confirm(String set) {
    return ask(plane().confirmDeletions(set)).isPresent();
  }

  /** Somebody changed something through the admin port. */
  World audit(String line, @Nullable ObjectKey object) {
    plane().audited(line, object);
    return this;
  }

  List<IncidentReport> incidents() {
    return ask(plane().incidents());
  }

  /** Such as {@code True/Programmed 2/2}: what is said of an object, and what of it is served. */
  String said(ObjectKey key) {
    return ask(plane().object(key)).map(World::said).orElse("");
  }

  /** How many proxies count as having rejected the newest generation of an object. */
  int rejectedBy(ObjectKey key) {
    return report(key).proxies().rejected();
  }

  List<ProblemReport> problems() {
    return ask(plane().problems());
  }

  /** What is told of an object. */
  ObjectReport report(ObjectKey key) {
    return ask(plane().object(key)).orElseThrow();
  }

  /** The problems in the report on an object. */
  List<String> problemsOf(ObjectKey key) {
    return report(key).problems();
  }

  InternalErrorReport internalErrors() {
    return plane().internalErrors();
  }

  Totals totals() {
    return ask(plane().totals());
  }

  /** The same of every object. */
  SortedMap<String, String> statuses() {
    SortedMap<String, String> statuses = new TreeMap<>();
    for (ObjectReport report : ask(plane().objects())) {
      statuses.put(report.key().kind() + "/" + report.key().name(), said(report));
    }
    return statuses;
  }

  private static String said(ObjectReport report) {
    String programmed = "";
    for (Condition condition : report.conditions()) {
      if (condition.type().equals("Programmed")) {
        programmed = condition.status() + "/" + condition.reason();
      }
    }
    return programmed + " " + report.servedGeneration() + "/" + report.generation();
  }

  /** How many responses Envoys refused, and got in all. */
  long responses(boolean onlyRefused) {
    return envoys.values().stream()
        .flatMap(envoy -> envoy.received().stream())
        .filter(response -> !onlyRefused || response.outcome() == ReceivedResponse.Outcome.REJECTED)
        .count();
  }

  /** No Envoy was sent anything again that it had refused. */
  void nothingRefusedWasSentAgain() {
    nothingRefusedWasSentMoreOftenThan(1);
  }

  /** The same of a control plane that may have ended before it heard, or could write it down. */
  void nothingRefusedWasSentMoreOftenThan(int times) {
    for (FakeEnvoy envoy : envoys.values()) {
      for (ReceivedResponse response : envoy.received()) {
        if (response.outcome() == ReceivedResponse.Outcome.REJECTED
            && response.resources().size() == 1) {
          assertThat(envoy.timesReceivedSince(response, response.resources().get(0)))
              .as("%s: %s", envoy.options().nodeId(), response)
              .isLessThanOrEqualTo(times);
        }
      }
    }
  }

  /** Throws if anything broke in any Envoy. */
  void close() {
    envoys.values().forEach(FakeEnvoy::close);
  }
}
