// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.server.check;

import static java.util.Collections.emptySortedMap;
import static java.util.Collections.emptySortedSet;

import dev.holdfast.base.Env;
import dev.holdfast.base.SystemTime;
import dev.holdfast.base.TimeSource;
import dev.holdfast.config.Condition;
import dev.holdfast.config.ConfigObject;
import dev.holdfast.config.ObjectChanges;
import dev.holdfast.config.ObjectKey;
import dev.holdfast.config.StateStore;
import dev.holdfast.controlplane.ControlPlane;
import dev.holdfast.controlplane.ControlPlaneOptions;
import dev.holdfast.controlplane.ObjectLimits;
import dev.holdfast.controlplane.authors.AuthorPolicy;
import dev.holdfast.controlplane.brake.BrakeOptions;
import dev.holdfast.controlplane.report.HoldReport;
import dev.holdfast.controlplane.report.ObjectReport;
import dev.holdfast.controlplane.report.ProxyReport;
import dev.holdfast.controlplane.report.ResourceReport;
import dev.holdfast.controlplane.rollout.trial.RolloutOptions;
import dev.holdfast.controlplane.snapshot.ResourceId;
import dev.holdfast.controlplane.translate.TranslationOptions;
import dev.holdfast.controlplane.translate.proto.listener.BindAddress;
import dev.holdfast.server.envoy.BootstrapTemplate;
import dev.holdfast.server.envoy.EnvoyBootstrap;
import dev.holdfast.server.envoy.EnvoyExit;
import dev.holdfast.server.envoy.EnvoyProgram;
import dev.holdfast.server.envoy.LocalEnvoy;
import dev.holdfast.server.options.ListenAddress;
import dev.holdfast.server.options.StartException;
import dev.holdfast.server.probe.Sink;
import dev.holdfast.server.xds.XdsServer;
import io.grpc.BindableService;
import io.grpc.InsecureServerCredentials;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.LongConsumer;
import org.jspecify.annotations.Nullable;

/**
 * An Envoy that serves nobody, and a control plane that finds out what it makes of objects.
 *
 * <p>The search is that of a control plane in production: a trial on top of what the Envoy runs,
 * bisection after a refusal, a second death before a conviction. Only the clock is faster.
 */
public final class EnvoyJudge implements AutoCloseable {
  private static final Duration POLL = Duration.ofMillis(50);
  private static final Duration START = Duration.ofSeconds(30);

  /** How long an Envoy must be well with everything that it has accepted. */
  private static final Duration CALM = Duration.ofMillis(400);

  /** How long nothing may change before what no proxy has asked for is taken as such. */
  private static final Duration STILL = Duration.ofSeconds(2);

  private static final Duration ANSWER = Duration.ofSeconds(30);
  private static final int MOST_OBJECTS = 1_000_000;
  private static final int REQUEST_BYTES = 16 << 20;
  private static final String LOOPBACK = "127.0.0.1";
  private static final String PROGRAMMED = "Programmed";

  /**
   * How objects are judged.
   *
   * @param translation how they become resources
   * @param hangsAfter how long a proxy may take to answer
   * @param megabytes how much memory the proxy may have; 0 for no limit
   * @param sinkPort where all backends seem to be, on loopback
   * @param template what the proxy has in common with others
   */
  public record Settings(
      TranslationOptions translation,
      AuthorPolicy authors,
      Duration hangsAfter,
      int megabytes,
      int sinkPort,
      BootstrapTemplate template) {}

  private final Settings settings;
  private final List<ExecutorService> threads = new ArrayList<>();
  private final StateStore store = StateStore.inMemory();
  private final ControlPlane controlPlane;
  private final XdsServer xds;
  private final LocalEnvoy envoy;
  private SortedMap<ObjectKey, ConfigObject> shown = emptySortedMap();

  private EnvoyJudge(EnvoyProgram program, Settings settings) throws StartException {
    this.settings = settings;
    RolloutOptions rollout = rollout();
    TimeSource time =
        new FasterTime(
            SystemTime.instance(),
            (double) rollout.silence().toNanos() / settings.hangsAfter().toNanos());
    this.controlPlane =
        new ControlPlane(
            new Env(thread("holdfast-check-loop"), time, new SplittableRandom()),
            thread("holdfast-check-state"),
            new ControlPlaneOptions("holdfast-check", translation(), rollout, BrakeOptions.off())
                .withObjectLimits(
                    new ObjectLimits(
                        MOST_OBJECTS,
                        settings.translation().routesPerHost(),
                        ObjectLimits.defaults().historyEntry()))
                .with(settings.authors()),
            store,
            changed -> {});
    XdsServer opened = null;
    try {
      controlPlane.onChange(
          new ObjectChanges(emptySortedMap(), emptySortedMap(), emptySortedSet(), List.of()));
      List<BindableService> services = new ArrayList<>();
      controlPlane.services().forEach(service -> services.add(() -> service));
      opened =
          XdsServer.start(
              new ListenAddress(LOOPBACK, 0),
              InsecureServerCredentials.create(),
              services,
              REQUEST_BYTES);
      Duration hangs = settings.hangsAfter().plusSeconds(1);
      this.envoy =
          LocalEnvoy.start(
              program,
              EnvoyBootstrap.of("check", "holdfast", 0, opened.address())
                  .withTemplate(settings.template()),
              new LocalEnvoy.Settings(hangs, hangs, settings.megabytes(), 0));
      this.xds = opened;
    } catch (StartException e) {
      if (opened != null) {
        opened.close();
      }
      closeControlPlane();
      throw e;
    }
  }

  /**
   * Starts the Envoy and its control plane.
   *
   * @throws StartException if something is in the way; nothing is then left running
   */
  public static EnvoyJudge start(EnvoyProgram program, Settings settings) throws StartException {
    return new EnvoyJudge(program, settings);
  }

  /** A search may take as long as whoever waits for it allows, and no object is put off. */
  private static RolloutOptions rollout() {
    return RolloutOptions.defaults().withSearchTime(Duration.ofHours(1));
  }

  /** Listeners on free ports of loopback. Envoy takes two with port 0 for one and the same. */
  private TranslationOptions translation() throws StartException {
    TranslationOptions given = settings.translation();
    return new TranslationOptions(
        new BindAddress(LOOPBACK, 0),
        new BindAddress(LOOPBACK, freePort()),
        given.settings(),
        given.edge(),
        Duration.ofSeconds(2),
        given.connectTimeout(),
        given.streamIdleTimeout(),
        given.routesPerHost(),
        /* vhds= */ false);
  }

  private static int freePort() throws StartException {
    try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      return socket.getLocalPort();
    } catch (IOException e) {
      throw new StartException("no free port on " + LOOPBACK + ": " + e.getMessage(), e);
    }
  }

  private ExecutorService thread(String name) {
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

  /** The Envoy that is asked. */
  public LocalEnvoy envoy() {
    return envoy;
  }

  /**
   * Sends requests to all routes that the Envoy runs.
   *
   * @param deadline on the clock of {@code System.nanoTime}
   * @throws StartException if the Envoy cannot be run any more
   */
  public ProbeReport probe(Sink sink, long deadline) throws StartException, InterruptedException {
    return new RouteProber(this, sink, deadline).run();
  }

  /** What the control plane says of the resources that it serves. */
  List<ResourceReport> resources() throws StartException, InterruptedException {
    return ask(controlPlane.resources());
  }

  /** Waits, after the Envoy was started again, until it runs everything. */
  void awaitCalm(long deadline) throws StartException, InterruptedException {
    long since = System.nanoTime();
    while (System.nanoTime() - since < CALM.toNanos()) {
      if (!isSettled(ask(controlPlane.proxies()))) {
        since = System.nanoTime();
      }
      String broken = envoy.broken();
      if (broken != null || System.nanoTime() > deadline) {
        throw new StartException(
            broken == null ? envoy.program().path() + " did not come back in time" : broken);
      }
      Thread.sleep(POLL.toMillis());
    }
  }

  /**
   * Waits until the Envoy is connected and runs what there was before.
   *
   * @throws StartException if it does not get there
   */
  public void awaitReady() throws StartException, InterruptedException {
    long deadline = System.nanoTime() + START.toNanos();
    while (!isSettled(ask(controlPlane.proxies()))) {
      String broken = envoy.broken();
      if (broken != null) {
        throw new StartException(broken);
      }
      if (System.nanoTime() > deadline) {
        throw new StartException(
            envoy.program().path() + " does not connect within " + START.toSeconds() + " s");
      }
      Thread.sleep(POLL.toMillis());
    }
  }

  /**
   * Shows objects to the Envoy in the place of those that it was shown before, and returns when
   * each is judged.
   *
   * @param deadline on the clock of {@code System.nanoTime}
   * @param progress is told how many objects are judged
   * @throws StartException if the Envoy cannot be run any more
   */
  public Judgement judge(
      SortedMap<ObjectKey, ConfigObject> objects, long deadline, LongConsumer progress)
      throws StartException, InterruptedException {
    SortedMap<ObjectKey, ConfigObject> next =
        SinkEndpoints.of(
            objects, settings.sinkPort(), settings.translation().settings().externalNames());
    controlPlane.onChange(ObjectChanges.between(shown, next, List.of()));
    shown = next;
    Progress last = new Progress();
    while (true) {
      Map<ObjectKey, ObjectReport> reports = reports();
      boolean isCalm = isSettled(ask(controlPlane.proxies()));
      long judged = 0;
      boolean isOver = isCalm;
      boolean isUnasked = isCalm;
      for (ConfigObject object : next.values()) {
        ObjectReport report = reports.get(object.key());
        Condition programmed = report == null ? null : current(report, object);
        boolean isJudged = programmed != null && isJudged(programmed);
        judged += isJudged && !SinkEndpoints.isReplaced(object.key()) ? 1 : 0;
        isOver &= isJudged;
        isUnasked &= isJudged || (programmed != null && isUnasked(programmed));
      }
      progress.accept(judged);
      last.saw(judged, isOver);
      boolean isStill = isUnasked && last.isSame(STILL);
      if ((isOver && last.isOver(CALM)) || isStill || System.nanoTime() > deadline) {
        return judgement(objects, reports, isOver || isStill);
      }
      String broken = envoy.broken();
      if (broken != null) {
        throw new StartException(broken);
      }
      Thread.sleep(POLL.toMillis());
    }
  }

  /** Since when nothing changed. */
  private static final class Progress {
    private long judged = -1;
    private long since = System.nanoTime();
    private long over;
    private boolean isOver;

    void saw(long nowJudged, boolean nowOver) {
      if (judged != nowJudged) {
        judged = nowJudged;
        since = System.nanoTime();
      }
      if (nowOver && !isOver) {
        over = System.nanoTime();
      }
      isOver = nowOver;
    }

    boolean isSame(Duration time) {
      return System.nanoTime() - since >= time.toNanos();
    }

    boolean isOver(Duration time) {
      return isOver && System.nanoTime() - over >= time.toNanos();
    }
  }

  private static @Nullable Condition current(ObjectReport report, ConfigObject object) {
    Condition programmed = report.condition(PROGRAMMED);
    return programmed != null
            && report.generation() == object.generation()
            && programmed.observedGeneration() == object.generation()
        ? programmed
        : null;
  }

  private static boolean isJudged(Condition programmed) {
    return programmed.status() != Condition.Status.UNKNOWN
        && !programmed.reason().equals("AttributionPending");
  }

  private static boolean isUnasked(Condition programmed) {
    return programmed.reason().equals("NoDataPlane");
  }

  /** Whether the Envoy is connected, and has answered everything. */
  private boolean isSettled(List<ProxyReport> proxies) {
    return envoy.isReady()
        && proxies.size() == 1
        && !proxies.get(0).streams().isEmpty()
        && proxies.get(0).streams().stream()
            .allMatch(
                stream ->
                    !stream.types().isEmpty()
                        && stream.types().stream().allMatch(type -> type.pendingSince() == null));
  }

  private Map<ObjectKey, ObjectReport> reports() throws StartException, InterruptedException {
    Map<ObjectKey, ObjectReport> reports = new HashMap<>();
    ask(controlPlane.objects()).forEach(report -> reports.put(report.key(), report));
    return reports;
  }

  private Judgement judgement(
      SortedMap<ObjectKey, ConfigObject> objects,
      Map<ObjectKey, ObjectReport> reports,
      boolean isComplete)
      throws StartException, InterruptedException {
    Map<ObjectKey, HoldReport> holds = new HashMap<>();
    ask(controlPlane.holds()).forEach(hold -> holds.put(hold.key(), hold));
    SortedMap<ObjectKey, Judgement.Outcome> outcomes = new TreeMap<>();
    objects.forEach(
        (key, object) -> {
          if (SinkEndpoints.isReplaced(key)) {
            return; // which is judged by us alone
          }
          ObjectReport report = reports.get(key);
          Condition programmed = report == null ? null : current(report, object);
          outcomes.put(key, outcome(programmed, holds.get(key)));
        });
    return new Judgement(outcomes, isComplete);
  }

  private Judgement.Outcome outcome(@Nullable Condition programmed, @Nullable HoldReport hold) {
    if (programmed == null) {
      return new Judgement.Outcome(Judgement.Kind.OPEN, "Pending", "", "not judged yet");
    }
    String reason = programmed.reason();
    Judgement.Kind kind =
        switch (reason) {
          case "Programmed" -> Judgement.Kind.ACCEPTED;
          case "NotReferenced", "NoDataPlane" -> Judgement.Kind.UNUSED;
          case "Rejected", "RejectedNew" -> Judgement.Kind.REFUSED;
          case "ProxyDied" -> Judgement.Kind.DIED;
          case "ProxyHung" -> Judgement.Kind.HUNG;
          case "DependencyRejected" -> Judgement.Kind.WAITING;
          case "Pending", "AttributionPending" -> Judgement.Kind.OPEN;
          default -> Judgement.Kind.INVALID;
        };
    if (hold != null && (kind == Judgement.Kind.DIED || kind == Judgement.Kind.HUNG)) {
      return lost(kind, reason, programmed.message(), hold.since());
    }
    if (hold == null || kind != Judgement.Kind.REFUSED) {
      return new Judgement.Outcome(kind, reason, "", programmed.message());
    }
    ResourceId resource = hold.resource();
    return new Judgement.Outcome(
        kind,
        reason,
        resource == null ? "" : resource.type().word() + " " + resource.name(),
        hold.message());
  }

  /** What the convicting process said: the last one that ended before the object was held. */
  private Judgement.Outcome lost(
      Judgement.Kind kind, String reason, String message, Instant since) {
    EnvoyExit last = null;
    for (EnvoyExit exit : envoy.exits()) {
      last = exit.at().isAfter(since) ? last : exit;
    }
    if (kind == Judgement.Kind.HUNG) {
      return new Judgement.Outcome(
          kind,
          reason,
          "",
          "no answer within " + settings.hangsAfter().toMillis() / 1000.0 + " s, twice");
    }
    if (last == null) {
      return new Judgement.Outcome(kind, reason, "", message);
    }
    Judgement.Kind what = last.hung() ? Judgement.Kind.HUNG : kind;
    String complaint = last.complaint();
    return new Judgement.Outcome(
        what,
        what == kind ? reason : "ProxyHung",
        "",
        last.text() + (complaint.isEmpty() ? "" : ": " + complaint));
  }

  private static <T> T ask(CompletionStage<T> question)
      throws StartException, InterruptedException {
    try {
      return question.toCompletableFuture().get(ANSWER.toMillis(), TimeUnit.MILLISECONDS);
    } catch (ExecutionException e) {
      throw new StartException("internal error: " + e.getCause(), e);
    } catch (TimeoutException e) {
      throw new StartException("the control plane does not answer", e);
    }
  }

  /** Ends the Envoy and the control plane. */
  @Override
  public void close() {
    envoy.close();
    xds.close();
    closeControlPlane();
  }

  private void closeControlPlane() {
    controlPlane.close();
    threads.forEach(ExecutorService::shutdownNow);
    store.close();
  }
}
