// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.kubernetes.status;

import dev.holdfast.base.Env;
import dev.holdfast.base.Loop;
import dev.holdfast.base.TimeSource;
import dev.holdfast.config.Condition;
import dev.holdfast.config.ObjectKey;
import dev.holdfast.config.ObjectStatus;
import dev.holdfast.config.StatusSink;
import dev.holdfast.kubernetes.api.ApiRequest;
import dev.holdfast.kubernetes.api.ApiResponse;
import dev.holdfast.kubernetes.api.ApiServer;
import dev.holdfast.kubernetes.source.KnownObject;
import dev.holdfast.kubernetes.source.WatchedKind;
import java.time.Duration;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import java.util.function.BooleanSupplier;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Writes the status of objects to the cluster, by server-side apply under our own field manager.
 *
 * <p>The newest status of an object takes the place of one that waits. What is bad or new goes
 * before what is good, because somebody waits for it; nothing is written that stands there already;
 * and there are never more requests than the rate allows, so that a change that concerns ten
 * thousand objects does not become a flood. A write names the version of the object that it is
 * about: if the object has changed meanwhile, the API server refuses, and the write is made again
 * for what is there then.
 */
public final class StatusWriter implements StatusSink {
  /** The name under which the API server knows what we wrote. */
  public static final String MANAGER = "holdfast";

  private static final Set<String> WITH_CONDITIONS =
      Set.of("HTTPProxy", "TLSCertificateDelegation", "ExtensionPolicy");

  private static final int MOST_IN_FLIGHT = 8;
  private static final int PER_SECOND = 50;
  private static final Duration TICK = Duration.ofMillis(100);
  private static final Duration FIRST_PAUSE = Duration.ofSeconds(1);
  private static final Duration LONGEST_PAUSE = Duration.ofSeconds(30);

  private final ApiServer server;
  private final Function<ObjectKey, @Nullable KnownObject> known;
  private final Env env;
  private final Loop loop;
  private final StatusEvents events;
  private final BooleanSupplier mayWrite;
  private final Observer observer;

  // Loop only.
  private final Map<ObjectKey, ObjectStatus> urgent = new LinkedHashMap<>();
  private final Map<ObjectKey, ObjectStatus> ordinary = new LinkedHashMap<>();
  private final Set<ObjectKey> inFlight = new HashSet<>();
  private final Map<ObjectKey, ObjectStatus> again = new HashMap<>();
  private int allowance = PER_SECOND;
  private int failures;
  private boolean paused;
  private boolean closed;
  private TimeSource.@Nullable Timer timer;

  /** Is told what became of writes, for logs and metrics. Called on the loop. */
  public interface Observer {
    /** A status was written. */
    default void written(ObjectKey key) {}

    /** A status could not be written, and is tried again later. */
    default void failed(ObjectKey key, String reason) {}

    /** The API server does not take the status of this object; nothing is tried before the next. */
    default void refused(ObjectKey key, String reason) {}
  }

  /**
   * @param known gives the object that a status is about; null if it is not there
   * @param instance the name of this process
   * @param mayWrite whether this process is the one that writes now; while not, statuses wait
   * @param loop everything happens on it
   */
  public StatusWriter(
      ApiServer server,
      Function<ObjectKey, @Nullable KnownObject> known,
      String instance,
      BooleanSupplier mayWrite,
      Observer observer,
      Env env,
      Loop loop) {
    this.server = server;
    this.known = known;
    this.env = env;
    this.loop = loop;
    this.events = new StatusEvents(instance);
    this.mayWrite = mayWrite;
    this.observer = observer;
  }

  @Override
  public void report(Map<ObjectKey, ObjectStatus> changed) {
    Map<ObjectKey, ObjectStatus> copy = new LinkedHashMap<>(changed);
    loop.execute(
        () -> {
          copy.forEach(this::add);
          work();
        });
  }

  /** Writes nothing more. */
  public void close() {
    loop.execute(
        () -> {
          closed = true;
          if (timer != null) {
            timer.cancel();
          }
        });
  }

  private void add(ObjectKey key, ObjectStatus status) {
    urgent.remove(key);
    ordinary.remove(key);
    again.remove(key);
    if (inFlight.contains(key)) {
      again.put(key, status);
    } else if (isUrgent(status)) {
      urgent.put(key, status);
    } else {
      ordinary.put(key, status);
    }
  }

  private static boolean isUrgent(ObjectStatus status) {
    return status.conditions().values().stream()
        .anyMatch(condition -> condition.status() == Condition.Status.FALSE);
  }

  private void work() {
    if (!closed && !mayWrite.getAsBoolean()) {
      if (!(urgent.isEmpty() && ordinary.isEmpty())) {
        schedule(FIRST_PAUSE);
      }
      return;
    }
    while (!closed && !paused && allowance > 0 && inFlight.size() < MOST_IN_FLIGHT) {
      Map<ObjectKey, ObjectStatus> queue = urgent.isEmpty() ? ordinary : urgent;
      if (queue.isEmpty()) {
        return;
      }
      Map.Entry<ObjectKey, ObjectStatus> next = queue.entrySet().iterator().next();
      queue.remove(next.getKey());
      write(next.getKey(), next.getValue());
    }
    if (!closed && !(urgent.isEmpty() && ordinary.isEmpty()) && allowance <= 0) {
      schedule(TICK);
    }
  }

  private void schedule(Duration delay) {
    if (timer == null) {
      timer =
          env.time()
              .schedule(
                  delay,
                  () ->
                      loop.execute(
                          () -> {
                            timer = null;
                            paused = false;
                            long earned = PER_SECOND * delay.toMillis() / 1_000;
                            allowance = (int) Math.min(PER_SECOND, allowance + Math.max(1, earned));
                            work();
                          }));
    }
  }

  private void write(ObjectKey key, ObjectStatus status) {
    KnownObject object = known.apply(key);
    if (object == null) {
      events.forget(key); // deleted
      return;
    }
    if (!object.isReported()) {
      retryLater(key, status);
      return;
    }
    String event = events.event(key, status, object, env.time().now());
    if (event != null) {
      allowance--;
      var unused =
          server
              .send(
                  ApiRequest.post(
                      "/apis/events.k8s.io/v1/namespaces/" + key.namespace() + "/events", event))
              .whenComplete((answer, failure) -> loop.execute(() -> onEventAnswer(key, answer)));
    }
    if (!WITH_CONDITIONS.contains(key.kind())) {
      return;
    }
    Map<String, Object> wanted = StatusPatch.status(key, status, object);
    if (wanted == null || StatusPatch.isThere(wanted, object.status())) {
      return;
    }
    allowance--;
    inFlight.add(key);
    WatchedKind kind = WatchedKind.of(key.kind());
    var unused =
        server
            .send(
                ApiRequest.apply(
                    kind.path(key.namespace(), key.name())
                        + "/status?force=true&fieldManager="
                        + MANAGER,
                    StatusPatch.json(kind, key, object, wanted)))
            .whenComplete(
                (answer, failure) -> loop.execute(() -> onAnswer(key, status, answer, failure)));
  }

  /** An Event that does not arrive is not written again: the status says the same. */
  private void onEventAnswer(ObjectKey key, @Nullable ApiResponse answer) {
    if (answer != null && !answer.isOk()) {
      observer.refused(key, "Event: " + answer.reason());
    }
  }

  private void onAnswer(
      ObjectKey key,
      ObjectStatus status,
      @Nullable ApiResponse answer,
      @Nullable Throwable failure) {
    inFlight.remove(key);
    ObjectStatus newer = again.remove(key);
    if (newer != null) {
      add(key, newer);
    }
    if (answer == null || failure != null) {
      failed(key, status, failure == null ? "no answer" : String.valueOf(failure.getMessage()));
    } else if (answer.isOk()) {
      failures = 0;
      observer.written(key);
    } else if (answer.status() == 409) {
      retryLater(key, status); // the watch tells us soon what the object is now
    } else if (answer.status() == 404) {
      events.forget(key); // deleted meanwhile, or its kind was
    } else if (answer.status() == 400 || answer.status() == 413 || answer.status() == 422) {
      observer.refused(key, answer.reason());
    } else {
      failed(key, status, answer.reason());
    }
    work();
  }

  private void failed(ObjectKey key, ObjectStatus status, String reason) {
    observer.failed(key, reason);
    retry(key, status);
    paused = true;
    long pause = FIRST_PAUSE.toMillis() << Math.min(failures++, 10);
    schedule(Duration.ofMillis(Math.min(pause, LONGEST_PAUSE.toMillis())));
  }

  private void retryLater(ObjectKey key, ObjectStatus status) {
    retry(key, status);
    allowance = Math.min(allowance, 0);
    schedule(TICK);
  }

  /** Tries the same again, unless a newer status waits. */
  private void retry(ObjectKey key, ObjectStatus status) {
    if (!urgent.containsKey(key) && !ordinary.containsKey(key) && !inFlight.contains(key)) {
      add(key, status);
    }
  }
}
