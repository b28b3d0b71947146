// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.kubernetes.source;

import dev.holdfast.base.Env;
import dev.holdfast.base.Loop;
import dev.holdfast.base.TimeSource;
import dev.holdfast.config.Mapping;
import dev.holdfast.config.ObjectKey;
import dev.holdfast.config.Position;
import dev.holdfast.config.Value;
import dev.holdfast.kubernetes.api.ApiRequest;
import dev.holdfast.kubernetes.api.ApiResponse;
import dev.holdfast.kubernetes.api.ApiServer;
import dev.holdfast.kubernetes.api.Json;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.CompletionException;
import org.jspecify.annotations.Nullable;

/**
 * The objects of one kind, of one namespace or of all: listed once, then watched. Loop only.
 *
 * <pre>
 * state    | what happens                         | next
 * ---------|--------------------------------------|---------
 * NEW      | started                              | LISTING
 * LISTING  | a page, and there are more           | LISTING
 * LISTING  | the last page                        | WATCHING
 * LISTING  | no answer, or an error               | WAITING
 * WATCHING | an event, or a bookmark              | WATCHING
 * WATCHING | the server ends it, after it lived   | WATCHING
 * WATCHING | 410: too old to go on from there     | LISTING
 * WATCHING | broken, refused, silent, or too short| WAITING
 * WAITING  | the pause is over                    | WATCHING (from the known version), else LISTING
 * (any)    | closed                               | CLOSED
 * </pre>
 *
 * <p>A list is read with the consistency of a quorum, so nothing steps back; a state of an object
 * that is older than the known one is ignored all the same. As long as there is no answer, the
 * objects stay as they are.
 */
final class ResourceWatch {
  /** Objects per page. A list of everything at once would be a spike of memory on both sides. */
  private static final int PAGE = 500;

  /** Bookmarks come about once a minute: a connection that is silent for longer is dead. */
  private static final Duration SILENCE = Duration.ofSeconds(150);

  /** How long the server is asked to keep a watch open, at least; up to twice as long. */
  private static final Duration WATCH = Duration.ofMinutes(5);

  /** A watch that ends sooner has not worked. */
  private static final Duration LIVED = Duration.ofSeconds(1);

  /** A kind that is not known for this long does not exist. */
  private static final Duration UNKNOWN = Duration.ofSeconds(30);

  private static final Duration FIRST_PAUSE = Duration.ofMillis(500);
  private static final Duration LONGEST_PAUSE = Duration.ofSeconds(15);

  private enum State {
    NEW,
    LISTING,
    WATCHING,
    WAITING,
    CLOSED
  }

  /** Is told what changed. */
  interface Listener {
    /** These objects are others than before, or not there any more. */
    void onObjects(Set<ObjectKey> changed);

    /** The health is another than before. */
    void onHealth();
  }

  private final WatchedKind kind;
  private final String namespace;
  private final ApiServer server;
  private final Env env;
  private final Loop loop;
  private final Listener listener;
  private final Position position;

  private final SortedMap<ObjectKey, ClusterObject> objects = new TreeMap<>();
  private final List<ClusterObject> listed = new ArrayList<>();
  private State state = State.NEW;
  private KindHealth health;

  /** Counts lists and watches: what an earlier one still says is not heard. */
  private long attempt;

  /** Where to go on watching; empty if a list is needed. */
  private String version = "";

  private int failures;
  private long unknownSince;

  private boolean isDecided;

  /** Whether the kind is known not to exist. */
  private boolean isAbsent;

  private long watchingSince;
  private ApiServer.@Nullable Watch watch;
  private TimeSource.@Nullable Timer timer;

  ResourceWatch(
      WatchedKind kind, String namespace, ApiServer server, Env env, Loop loop, Listener listener) {
    this.kind = kind;
    this.namespace = namespace;
    this.server = server;
    this.env = env;
    this.loop = loop;
    this.listener = listener;
    position = Position.of(kind.plural());
    health = new KindHealth(kind, namespace, KindHealth.State.LISTING, "", env.time().now(), 0);
  }

  void start() {
    list("");
  }

  void close() {
    stop();
    state = State.CLOSED;
  }

  KindHealth health() {
    return health.with(objects.size());
  }

  /** Whether the objects have been listed, or it is known why they cannot be. */
  boolean isDecided() {
    return isDecided;
  }

  /** Whether the objects are all that there are. */
  boolean isComplete() {
    return isAbsent || !version.isEmpty();
  }

  @Nullable ClusterObject get(ObjectKey key) {
    return objects.get(key);
  }

  Set<ObjectKey> keys() {
    return objects.keySet();
  }

  // Lists.

  private void list(String from) {
    state = State.LISTING;
    if (from.isEmpty()) {
      listed.clear();
    }
    long mine = ++attempt;
    String query = "?limit=" + PAGE + selector() + (from.isEmpty() ? "" : "&continue=" + from);
    var unused =
        server
            .send(ApiRequest.get(kind.path(namespace) + query))
            .whenComplete((answer, failure) -> onLoop(mine, () -> onPage(answer, failure)));
  }

  private String selector() {
    return kind.selector().isEmpty() ? "" : "&fieldSelector=" + kind.selector();
  }

  private void onLoop(long mine, Runnable task) {
    loop.execute(
        () -> {
          if (mine == attempt && state != State.CLOSED) {
            task.run();
          }
        });
  }

  private void onPage(@Nullable ApiResponse answer, @Nullable Throwable failure) {
    if (answer == null || failure != null) {
      failed(message(failure));
    } else if (answer.status() == 404) {
      unknownKind();
    } else if (answer.status() == 401 || answer.status() == 403) {
      become(KindHealth.State.FORBIDDEN, answer.reason());
      pause();
    } else if (!answer.isOk()) {
      failed(answer.reason());
    } else {
      page(answer.body());
    }
  }

  /**
   * An API server that does not know a kind has no such objects. But one that has just started does
   * not know any custom kind for a moment: until that can be ruled out, the objects stay.
   */
  private void unknownKind() {
    version = "";
    if (health.state() != KindHealth.State.UNKNOWN_KIND) {
      unknownSince = env.time().nanoTime();
      become(
          KindHealth.State.UNKNOWN_KIND,
          "the API server does not know this kind (expected: the CustomResourceDefinition of "
              + kind.plural()
              + " is installed)");
    } else if (!isAbsent && env.time().nanoTime() - unknownSince >= UNKNOWN.toNanos()) {
      isAbsent = true;
      replace();
      listener.onHealth();
    }
    pause();
  }

  private void page(String body) {
    Mapping page = object(body);
    if (page == null) {
      failed("the list cannot be read");
      return;
    }
    for (Value item : Json.elements(page, "items")) {
      ClusterObject object =
          item instanceof Mapping document ? ClusterObject.read(kind, document) : null;
      if (object != null) {
        listed.add(object);
      }
    }
    Mapping metadata = Json.mapping(page, "metadata");
    String next = Json.string(metadata, "continue");
    if (!next.isEmpty()) {
      list(URLEncoder.encode(next, StandardCharsets.UTF_8));
      return;
    }
    version = Json.string(metadata, "resourceVersion");
    isAbsent = false;
    replace();
    failures = 0;
    become(KindHealth.State.CURRENT, "");
    watch();
  }

  /** The objects are now exactly those that were listed. */
  private void replace() {
    Set<ObjectKey> changed = new HashSet<>(objects.keySet());
    Set<ObjectKey> there = new HashSet<>();
    for (ClusterObject object : listed) {
      ObjectKey key = object.object().key();
      there.add(key);
      changed.remove(key);
      if (put(object)) {
        changed.add(key);
      }
    }
    objects.keySet().retainAll(there);
    listed.clear();
    tell(changed);
  }

  // Watches.

  private void watch() {
    state = State.WATCHING;
    long mine = ++attempt;
    watchingSince = env.time().nanoTime();
    long seconds = WATCH.toSeconds() + env.random().nextLong(WATCH.toSeconds());
    rest(SILENCE);
    watch =
        server.watch(
            kind.path(namespace)
                + "?watch=true&allowWatchBookmarks=true&timeoutSeconds="
                + seconds
                + "&resourceVersion="
                + version
                + selector(),
            new ApiServer.WatchListener() {
              @Override
              public void onOpen() {
                onLoop(mine, () -> become(KindHealth.State.CURRENT, ""));
              }

              @Override
              public void onEvent(String json) {
                onLoop(mine, () -> ResourceWatch.this.onEvent(json));
              }

              @Override
              public void onEnd(int status, String reason) {
                onLoop(mine, () -> ResourceWatch.this.onEnd(status, reason));
              }
            });
  }

  private void onEvent(String json) {
    rest(SILENCE);
    Mapping event = object(json);
    Mapping object = event == null ? null : Json.mapping(event, "object");
    if (event == null || object == null) {
      failed("an event of the watch cannot be read");
      return;
    }
    String type = Json.string(event, "type");
    if (type.equals("ERROR")) {
      boolean isTooOld = Json.number(object, "code") == 410;
      if (isTooOld) {
        relist();
      } else {
        version = "";
        failed(Json.string(object, "message"));
      }
      return;
    }
    String seen = Json.string(Json.mapping(object, "metadata"), "resourceVersion");
    if (!seen.isEmpty()) {
      version = seen;
    }
    failures = 0;
    become(KindHealth.State.CURRENT, "");
    if (!type.equals("BOOKMARK")) {
      apply(type, object);
    }
  }

  private void apply(String type, Mapping document) {
    ClusterObject object = ClusterObject.read(kind, document);
    if (object == null) {
      return;
    }
    ObjectKey key = object.object().key();
    if (!type.equals("DELETED")) {
      if (put(object)) {
        tell(Set.of(key));
      }
      return;
    }
    ClusterObject known = objects.get(key);
    if (known != null && known.object().uid().equals(object.object().uid())) {
      objects.remove(key);
      tell(Set.of(key));
    }
  }

  /** Takes over a state of an object; false if it is not newer than the known one. */
  private boolean put(ClusterObject object) {
    ObjectKey key = object.object().key();
    ClusterObject known = objects.get(key);
    if (known != null
        && (object.isOlderThan(known)
            || known.resourceVersion().equals(object.resourceVersion()))) {
      return false;
    }
    objects.put(key, object);
    return true;
  }

  private void onEnd(int status, String reason) {
    if (status == 410) {
      relist();
    } else if (status == 404) {
      version = "";
      failed(reason); // the next list tells whether the kind is gone
    } else if (status == 401 || status == 403) {
      become(KindHealth.State.FORBIDDEN, reason);
      pause();
    } else if (reason.isEmpty() && env.time().nanoTime() - watchingSince >= LIVED.toNanos()) {
      stop();
      watch();
    } else {
      failed(reason.isEmpty() ? "the watch ended at once" : reason);
    }
  }

  private void relist() {
    stop();
    version = "";
    list("");
  }

  // Pauses.

  private void failed(String reason) {
    become(KindHealth.State.STALE, reason);
    pause();
  }

  private void pause() {
    stop();
    state = State.WAITING;
    long longest = FIRST_PAUSE.toMillis() << Math.min(failures, 10);
    failures++;
    long millis = Math.min(longest, LONGEST_PAUSE.toMillis());
    Duration pause = Duration.ofMillis(millis / 2 + env.random().nextLong(millis / 2 + 1));
    long mine = ++attempt;
    timer = env.time().schedule(pause, () -> onLoop(mine, this::resume));
  }

  private void resume() {
    if (version.isEmpty()) {
      list("");
    } else {
      watch();
    }
  }

  /** What is under way is over, and not heard any more. */
  private void stop() {
    attempt++;
    ApiServer.Watch open = watch;
    watch = null;
    if (open != null) {
      open.cancel();
    }
    if (timer != null) {
      timer.cancel();
      timer = null;
    }
  }

  private void rest(Duration silence) {
    if (timer != null) {
      timer.cancel();
    }
    long mine = attempt;
    timer =
        env.time()
            .schedule(
                silence,
                () -> onLoop(mine, () -> failed("silent for " + silence.toSeconds() + " s")));
  }

  // Telling.

  private void tell(Set<ObjectKey> changed) {
    if (!changed.isEmpty()) {
      listener.onObjects(changed);
    }
  }

  /** The time of the change and the first reason stay until the state changes. */
  private void become(KindHealth.State next, String reason) {
    if (health.state() == next) {
      return;
    }
    isDecided |=
        switch (next) {
          case CURRENT, UNKNOWN_KIND, FORBIDDEN -> true;
          case LISTING, STALE -> false;
        };
    Instant now = env.time().now();
    boolean wasCurrent = health.state() == KindHealth.State.CURRENT;
    Instant since = wasCurrent || next == KindHealth.State.CURRENT ? now : health.since();
    health = new KindHealth(kind, namespace, next, reason, since, objects.size());
    listener.onHealth();
  }

  private @Nullable Mapping object(String json) {
    try {
      return Json.parse(json, position) instanceof Mapping mapping ? mapping : null;
    } catch (IllegalArgumentException e) {
      return null;
    }
  }

  private static String message(@Nullable Throwable failure) {
    Throwable cause = failure;
    while (cause != null && cause.getCause() != null && cause.getMessage() == null) {
      cause = cause.getCause();
    }
    if (cause instanceof CompletionException && cause.getCause() != null) {
      cause = cause.getCause();
    }
    return cause == null ? "no answer" : String.valueOf(cause.getMessage());
  }
}
