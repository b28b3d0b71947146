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
import java.util.List;
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
 * for what is there then. A status that somebody else changes is written again, but not more often
 * than every half minute, so that two who disagree do not keep the API server busy.
 */
public final class StatusWriter implements StatusSink {
  /** The name under which the API server knows what we wrote. */
  public static final String MANAGER = "holdfast";

  private static final int MOST_IN_FLIGHT = 8;
  private static final int PER_SECOND = 50;
  private static final Duration TICK = Duration.ofMillis(100);
  private static final Duration FIRST_PAUSE = Duration.ofSeconds(1);
  private static final Duration LONGEST_PAUSE = Duration.ofSeconds(30);
  private static final Duration REPAIR_PAUSE = Duration.ofSeconds(30);

  private final ApiServer server;
  private final Function<ObjectKey, @Nullable KnownObject> known;
  private final Env env;
  private final Loop loop;
  private final StatusEvents events;
  private final PublicAddress address;
  private final BooleanSupplier mayWrite;
  private final Observer observer;
  private volatile int waiting;

  // Loop only.

  /** What was last said of each object. */
  private final Map<ObjectKey, ObjectStatus> last = new HashMap<>();

  /** Objects whose status others changed and that was written again a moment ago. */
  private final Set<ObjectKey> repaired = new HashSet<>();

  private List<Object> addresses = List.of();
  private TimeSource.@Nullable Timer repairTimer;
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
   * @param address what is written as the address of hosts
   * @param mayWrite whether this process is the one that writes now; while not, statuses wait
   * @param loop everything happens on it
   */
  public StatusWriter(
      ApiServer server,
      Function<ObjectKey, @Nullable KnownObject> known,
      String instance,
      PublicAddress address,
      BooleanSupplier mayWrite,
      Observer observer,
      Env env,
      Loop loop) {
    this.server = server;
    this.known = known;
    this.env = env;
    this.loop = loop;
    this.events = new StatusEvents(instance);
    this.address = address;
    this.mayWrite = mayWrite;
    this.observer = observer;
  }

  @Override
  public void report(Map<ObjectKey, ObjectStatus> changed) {
    Map<ObjectKey, ObjectStatus> copy = new LinkedHashMap<>(changed);
    loop.execute(
        () -> {
          addresses = address.ingress(known);
          copy.forEach(
              (key, status) -> {
                last.put(key, status);
                add(key, status);
              });
          work();
        });
  }

  /** The number of statuses that wait to be written. Any thread may ask. */
  public int waiting() {
    return waiting;
  }

  /**
   * The cluster has another state of some objects, or has them no more: what others changed of
   * their status is written again. Loop only.
   */
  public void seen(Set<ObjectKey> changed) {
    loop.check();
    if (address.service() != null && changed.contains(address.service())) {
      List<Object> before = addresses;
      addresses = address.ingress(known);
      if (!addresses.equals(before)) {
        last.forEach(this::retry);
      }
    }
    for (ObjectKey key : changed) {
      ObjectStatus status = last.get(key);
      if (status != null && known.apply(key) == null) {
        last.remove(key);
        events.forget(key);
      } else if (status != null && isChangedByOthers(key, status) && repaired.add(key)) {
        retry(key, status);
        repairLater();
      }
    }
    work();
  }

  private boolean isChangedByOthers(ObjectKey key, ObjectStatus status) {
    KnownObject object = known.apply(key);
    if (object == null || !object.isReported() || inFlight.contains(key)) {
      return false;
    }
    Map<String, Object> wanted = StatusPatch.status(key, status, object, addresses);
    return wanted != null && !StatusPatch.isThere(wanted, object);
  }

  private void repairLater() {
    if (repairTimer == null) {
      repairTimer =
          env.time()
              .schedule(
                  REPAIR_PAUSE,
                  () ->
                      loop.execute(
                          () -> {
                            repairTimer = null;
                            Set<ObjectKey> again = Set.copyOf(repaired);
                            repaired.clear();
                            seen(again);
                          }));
    }
  }

  /** Writes nothing more. */
  public void close() {
    loop.execute(
        () -> {
          closed = true;
          if (timer != null) {
            timer.cancel();
          }
          if (repairTimer != null) {
            repairTimer.cancel();
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
    writeWhatMay();
    waiting = urgent.size() + ordinary.size() + inFlight.size();
  }

  private void writeWhatMay() {
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
    Map<String, Object> wanted = StatusPatch.status(key, status, object, addresses);
    if (wanted == null || StatusPatch.isThere(wanted, object)) {
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
    boolean isNamespaceGoing =
        answer != null
            && (answer.status() == 404
                || (answer.status() == 403 && answer.reason().contains("being terminated")));
    if (answer != null && !answer.isOk() && !isNamespaceGoing) {
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
