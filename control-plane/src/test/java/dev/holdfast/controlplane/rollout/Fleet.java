// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.controlplane.rollout;

import dev.holdfast.base.Loop;
import dev.holdfast.config.AcceptedSpec;
import dev.holdfast.config.ConfigObject;
import dev.holdfast.config.Mapping;
import dev.holdfast.config.ObjectKey;
import dev.holdfast.config.Position;
import dev.holdfast.config.Scalar;
import dev.holdfast.config.Sequence;
import dev.holdfast.config.Value;
import dev.holdfast.controlplane.rollout.fleet.Evidence;
import dev.holdfast.controlplane.rollout.fleet.TrialFleet;
import dev.holdfast.controlplane.rollout.fleet.Verdict;
import dev.holdfast.controlplane.rollout.hold.Hold;
import dev.holdfast.controlplane.rollout.search.Incident;
import dev.holdfast.controlplane.rollout.selection.Trial;
import dev.holdfast.controlplane.rollout.trial.Rollout;
import dev.holdfast.controlplane.rollout.trial.RolloutObserver;
import dev.holdfast.controlplane.rollout.trial.RolloutOptions;
import dev.holdfast.controlplane.snapshot.Resource;
import dev.holdfast.controlplane.snapshot.ResourceType;
import dev.holdfast.controlplane.snapshot.Snapshot;
import dev.holdfast.controlplane.translate.Translation;
import dev.holdfast.controlplane.translate.TranslationOptions;
import dev.holdfast.testkit.ManualExecutor;
import dev.holdfast.testkit.ManualTime;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * A rollout over proxies that judge at once: each refuses every route configuration that holds the
 * word it does not like, and keeps what it had.
 */
public final class Fleet implements TrialFleet, RolloutObserver {
  public static final String BAD = "BAD";

  final ManualTime time = new ManualTime();
  private final ManualExecutor executor = new ManualExecutor();
  private final Loop loop =
      new Loop(
          executor,
          e -> {
            throw new AssertionError(e);
          });

  /** Whoever receives this word dies. */
  public static final String KILLS = "KILLS";

  /** Whoever receives this word never answers again. */
  public static final String HANGS = "HANGS";

  public final Map<String, Member> members = new LinkedHashMap<>();
  final SortedMap<ObjectKey, AcceptedSpec> accepted = new TreeMap<>();
  final List<Evidence> evidence = new ArrayList<>();
  final List<Incident> ended = new ArrayList<>();
  private final Map<ObjectKey, Long> generations = new HashMap<>();
  private final List<Runnable> writes = new ArrayList<>();
  boolean diskIsSlow;
  private Snapshot baseline = Snapshot.empty();
  public Rollout rollout;

  /** Whether errors of our own are a part of the test. */
  public boolean expectsErrors;

  public final List<String> errors = new ArrayList<>();

  /** Whether proxies leave in crowds. */
  boolean manyLeft;

  /** Nodes that disagree with their class, and whether they accept what it refuses. */
  final SortedMap<String, Boolean> diverged = new TreeMap<>();

  /** Nodes that are connected, and are not asked. */
  public final Set<String> withoutVote = new HashSet<>();

  /** A proxy. */
  public static final class Member {
    final String proxyClass;
    final String dislikes;

    /** Two words that it likes, but not together. */
    List<String> pair = List.of();

    Snapshot shown = Snapshot.empty();
    @Nullable Resource running;
    final Set<String> refusedVersions = new HashSet<>();
    public int pushes;

    /** How often more than one host went away at once. */
    int losses;

    public boolean silent;

    /** Whether its process is gone, or the connection to it. */
    boolean gone;

    /** Whether it is an application that connects for a moment. */
    boolean passing;

    /** Whether nothing kills it. */
    boolean immune;

    /** How often it was killed by what it received. */
    int deaths;

    /** Whether it has connected again with what it ran. */
    boolean survived;

    /** The push that it falls silent at. */
    public int mute = Integer.MAX_VALUE;

    /** Whether it came running something that this server knows nothing of. */
    boolean adopted;

    String message = "script load error";

    Member(String proxyClass, String dislikes) {
      this.proxyClass = proxyClass;
      this.dislikes = dislikes;
    }

    void show(Snapshot snapshot) {
      shown = snapshot;
      Resource routes = snapshot.get(ResourceType.ROUTES, "ingress_http");
      if (silent || gone || routes == null || routes.equals(running)) {
        return;
      }
      if (refusedVersions.contains(routes.version())) {
        return; // the server knows, and does not send it again
      }
      pushes++;
      if (text(routes).contains(KILLS) && !immune) {
        gone = true;
        running = null;
        deaths++;
        return;
      }
      if (pushes == mute || text(routes).contains(HANGS)) {
        silent = true;
        return;
      }
      boolean both = !pair.isEmpty() && pair.stream().allMatch(text(routes)::contains);
      if (both || text(routes).contains(dislikes)) {
        refusedVersions.add(routes.version());
      } else {
        if (running != null && hosts(routes) < hosts(running) - 1) {
          losses++;
        }
        running = routes;
      }
    }

    /** Starts again, with nothing. */
    void start(Snapshot baseline) {
      gone = false;
      silent = false;
      refusedVersions.clear();
      running = null;
      show(baseline);
    }

    /** Answers what it has not answered. */
    public void speak() {
      silent = false;
      show(shown);
    }

    private static int hosts(Resource routes) {
      return routes.contributions().size();
    }

    private static String text(Resource routes) {
      return routes.body().toString(StandardCharsets.ISO_8859_1);
    }

    Verdict verdict(Predicate<Resource> known) {
      Resource routes = shown.get(ResourceType.ROUTES, "ingress_http");
      if (gone) {
        return Verdict.GONE;
      }
      if (silent) {
        return Verdict.OPEN;
      }
      return routes != null && refusedVersions.contains(routes.version()) && !known.test(routes)
          ? new Verdict.Refused(proxyClass, "envoy 1.39.0", routes, message)
          : Verdict.ACCEPTED;
    }

    /** Whether a word is in what it runs. */
    boolean has(String word) {
      return running != null && text(running).contains(word);
    }

    /** Whether requests for a host get the answer of some generation. */
    boolean answers(String host, String body) {
      return running != null && text(running).contains(host + ":" + body + ";");
    }
  }

  public Fleet() {
    rollout = start();
  }

  private Rollout start() {
    return new Rollout(
        RolloutOptions.defaults(),
        Translation.empty(TranslationOptions.defaults()),
        this,
        time,
        loop,
        this,
        message -> message);
  }

  /** The same fleet with a new process that knows nothing. */
  public Fleet forget(Collection<ConfigObject> live) {
    accepted.clear();
    evidence.clear();
    members
        .values()
        .forEach(
            member -> {
              member.adopted = true;
              member.refusedVersions.clear();
            });
    return restart(live);
  }

  /** The same fleet with a new process that knows what the old one stored. */
  public Fleet restart(Collection<ConfigObject> live) {
    rollout.close();
    rollout = start();
    rollout.restore(new TreeMap<>(accepted), List.copyOf(evidence));
    SortedMap<ObjectKey, @Nullable ConfigObject> all = new TreeMap<>();
    live.forEach(object -> all.put(object.key(), object));
    run(() -> rollout.change(all));
    return this;
  }

  public Fleet join(String node, String proxyClass, String dislikes) {
    Member member = new Member(proxyClass, dislikes);
    members.put(node, member);
    run(
        () -> {
          member.show(baseline);
          rollout.check();
        });
    return this;
  }

  public Fleet join(String node) {
    return join(node, "envoy 1.39.0", BAD);
  }

  public Member member(String node) {
    Member member = members.get(node);
    if (member == null) {
      throw new AssertionError(node);
    }
    return member;
  }

  public void run(Runnable task) {
    loop.execute(task);
    executor.runAll();
  }

  public void advance(Duration by) {
    time.advance(by, executor::runAll);
  }

  // Objects.

  /** A host that answers with a text; the next generation of it. */
  public ConfigObject host(String name, String body) {
    return host(name, name + ".example.com", body);
  }

  /** The same under a host name that is not its own. */
  public ConfigObject host(String name, String fqdn, String body) {
    return host(name, fqdn, body, "/");
  }

  /** The same for requests under a path. */
  public ConfigObject host(String name, String fqdn, String body, String prefix) {
    ObjectKey key = new ObjectKey("HTTPProxy", "default", name);
    long generation = generations.merge(key, 1L, Long::sum);
    Map<String, Value> response = new LinkedHashMap<>();
    response.put("statusCode", scalar(200L));
    response.put("body", scalar(name + ":" + body + ";"));
    Map<String, Value> route = new LinkedHashMap<>();
    Mapping condition = mapping(Map.of("prefix", scalar(prefix)));
    route.put("conditions", new Sequence(List.of(condition), Position.of("test")));
    route.put("directResponsePolicy", mapping(response));
    Map<String, Value> spec = new LinkedHashMap<>();
    spec.put("virtualhost", mapping(Map.of("fqdn", scalar(fqdn))));
    spec.put("routes", new Sequence(List.of(mapping(route)), Position.of("test")));
    return new ConfigObject(
        key,
        "projectcontour.io/v1",
        "",
        generation,
        Instant.EPOCH,
        Collections.emptySortedMap(),
        Collections.emptySortedMap(),
        mapping(Map.of("spec", mapping(spec))));
  }

  /** An object whose author would rather have no answers than old ones. */
  public static ConfigObject closing(ConfigObject object) {
    return new ConfigObject(
        object.key(),
        object.apiVersion(),
        object.uid(),
        object.generation(),
        object.created(),
        object.labels(),
        new TreeMap<>(Map.of("holdfast.dev/on-reject", "respond-503")),
        object.body());
  }

  private static Mapping mapping(Map<String, Value> fields) {
    return new Mapping(fields, Position.of("test"));
  }

  private static Scalar scalar(Object value) {
    return new Scalar(value, Position.of("test"));
  }

  public Fleet change(ConfigObject... objects) {
    return change(List.of(objects));
  }

  public Fleet change(Collection<ConfigObject> objects) {
    SortedMap<ObjectKey, @Nullable ConfigObject> changes = new TreeMap<>();
    objects.forEach(object -> changes.put(object.key(), object));
    run(() -> rollout.change(changes));
    settle();
    return this;
  }

  public Fleet delete(ObjectKey key) {
    SortedMap<ObjectKey, @Nullable ConfigObject> changes = new TreeMap<>();
    changes.put(key, null);
    run(() -> rollout.change(changes));
    settle();
    return this;
  }

  /** Lets the rollout go on until it has nothing more to ask. */
  public void settle() {
    for (int i = 0; i < 10_000; i++) {
      List<Object> before = state();
      run(rollout::check);
      if (state().equals(before)) {
        return;
      }
    }
    throw new AssertionError("never settles");
  }

  private List<Object> state() {
    List<Object> state = new ArrayList<>(List.of(pushes(), held()));
    Trial trial = rollout.trial();
    if (trial != null) {
      state.add(trial);
    }
    return state;
  }

  public int pushes() {
    return members.values().stream().mapToInt(member -> member.pushes).sum();
  }

  public List<String> held() {
    return rollout.holds().stream()
        .map(hold -> hold.key().name() + "@" + hold.generation() + "/" + hold.served())
        .toList();
  }

  // The stage.

  @Override
  public Collection<Candidate> candidates() {
    List<Candidate> candidates = new ArrayList<>();
    members.forEach(
        (node, member) -> {
          if (!member.gone && !withoutVote.contains(node)) {
            candidates.add(
                new Candidate(
                    node,
                    member.proxyClass,
                    member.verdict(nothing -> false) instanceof Verdict.Accepted,
                    member.adopted));
          }
        });
    return candidates;
  }

  @Override
  public boolean isConnected(String node) {
    Member member = members.get(node);
    return member != null && !member.gone;
  }

  @Override
  public boolean wasPassing(String node, long shown) {
    Member member = members.get(node);
    return member != null && member.passing;
  }

  @Override
  public boolean isAlive(String node, boolean wasSilent) {
    Member member = members.get(node);
    return member != null
        && (member.survived
            || (wasSilent && member.verdict(nothing -> false) instanceof Verdict.Accepted));
  }

  @Override
  public boolean leftWithOthers(long at, Collection<String> canaries) {
    return manyLeft;
  }

  @Override
  public void diverged(String node, Resource resource, boolean accepts, String message) {
    withoutVote.add(node);
    diverged.put(node, accepts);
  }

  /** Proxies that are gone start again. */
  public Fleet comeBack() {
    run(
        () -> {
          members.values().stream()
              .filter(member -> member.gone)
              .forEach(member -> member.start(baseline));
          rollout.check();
        });
    return this;
  }

  @Override
  public void show(Snapshot shown, Set<String> canaries, Snapshot trial) {
    baseline = shown;
    members.forEach((node, member) -> member.show(canaries.contains(node) ? trial : shown));
  }

  @Override
  public Verdict verdict(String node, Predicate<Resource> known) {
    Member member = members.get(node);
    return member == null || withoutVote.contains(node) ? Verdict.GONE : member.verdict(known);
  }

  // The observer.

  @Override
  public void committed(Collection<ConfigObject> objects) {
    objects.forEach(object -> accepted.put(object.key(), AcceptedSpec.of(object)));
  }

  @Override
  public void held(Hold hold) {
    if (hold.evidence() != null && hold.reason().isProven()) {
      evidence.add(hold.evidence());
    }
  }

  @Override
  public void dropped(ObjectKey key) {
    accepted.remove(key);
  }

  @Override
  public void whenDurable(Runnable task) {
    writes.add(task);
    if (!diskIsSlow) {
      written();
    }
  }

  /** The disk has caught up. */
  public void written() {
    writes.forEach(loop::execute);
    writes.clear();
    executor.runAll();
  }

  @Override
  public void released(ObjectKey key) {}

  @Override
  public void affected(ObjectKey key) {}

  @Override
  public void internalError(String what, Throwable error) {
    if (!expectsErrors) {
      throw new AssertionError(what, error);
    }
    errors.add(what + ": " + error.getMessage());
  }

  @Override
  public void incident(Incident incident) {
    if (incident.took() != null) {
      ended.add(incident);
    }
  }
}
