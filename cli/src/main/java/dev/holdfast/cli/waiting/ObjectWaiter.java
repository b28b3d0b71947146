// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.cli.waiting;

import com.google.gson.JsonObject;
import dev.holdfast.base.TimeSource;
import dev.holdfast.cli.CommandException;
import dev.holdfast.cli.client.AdminClient;
import dev.holdfast.cli.client.JsonFields;
import dev.holdfast.cli.client.ObjectName;
import dev.holdfast.cli.client.PollTrigger;
import dev.holdfast.cli.client.ReportedObject;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Polls objects on every event of the server, and periodically, because an ACK of a single proxy is
 * not an event, until the wait condition holds.
 */
public final class ObjectWaiter {
  private static final Duration LOOK_EVERY = Duration.ofMillis(500);

  /** Of more than so many objects all there are are read, in one request. */
  private static final int FEW = 8;

  private final AdminClient client;
  private final WaitCondition waitFor;
  private final List<WaitTarget> targets;

  public ObjectWaiter(AdminClient client, WaitCondition waitFor, List<WaitTarget> targets) {
    this.client = client;
    this.waitFor = waitFor;
    this.targets = new ArrayList<>(targets);
  }

  /**
   * Returns when it is over or time is up. A server that goes away meanwhile may come back.
   *
   * @throws CommandException if the server gives no answer at the first look
   */
  public WaitResult run(TimeSource time, Duration timeout, ProgressPrinter progress) {
    WaitResult outcome = look();
    progress.show(outcome);
    if (!outcome.over()) {
      try (PollTrigger trigger = new PollTrigger(client, time, LOOK_EVERY, timeout)) {
        for (boolean inTime = true; inTime && !outcome.over(); ) {
          inTime = trigger.await();
          outcome = lookAgain(outcome); // once more, too, when time is up
          progress.show(outcome);
        }
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
      }
    }
    progress.end(outcome);
    return outcome;
  }

  private WaitResult lookAgain(WaitResult before) {
    try {
      return look();
    } catch (CommandException e) {
      return before;
    }
  }

  /**
   * While the server searches for the offending object, all changes that were rejected together
   * count as rejected: a rejection is final only when the search is over.
   */
  private WaitResult look() {
    WaitResult outcome = glance();
    if (!outcome.over() || !outcome.isRejected()) {
      return outcome;
    }
    return isSearching() ? new WaitResult(outcome.objects(), /* over= */ false) : glance();
  }

  private boolean isSearching() {
    return JsonFields.of(client.get("/api/v1/incidents"), "items").stream()
        .anyMatch(incident -> JsonFields.text(incident, "tookMillis").isEmpty());
  }

  private WaitResult glance() {
    List<@Nullable JsonObject> reports = targets.size() <= FEW ? each() : among();
    List<ObjectProgress> objects = new ArrayList<>();
    for (int i = 0; i < targets.size(); i++) {
      objects.add(ObjectProgress.of(targets.get(i), waitFor, reports.get(i)));
    }
    return WaitResult.of(objects, waitFor);
  }

  private List<@Nullable JsonObject> each() {
    List<@Nullable JsonObject> reports = new ArrayList<>();
    List<JsonObject> all = null;
    for (int i = 0; i < targets.size(); i++) {
      ObjectName name = targets.get(i).object();
      JsonObject report = name.namespace() == null ? null : client.find(name.path()).orElse(null);
      if (report == null) { // it may be called something else, strictly speaking
        all = all == null ? all() : all;
        report = find(i, all);
      }
      reports.add(report);
    }
    return reports;
  }

  private List<@Nullable JsonObject> among() {
    List<JsonObject> all = all();
    List<@Nullable JsonObject> reports = new ArrayList<>();
    for (int i = 0; i < targets.size(); i++) {
      reports.add(find(i, all));
    }
    return reports;
  }

  private List<JsonObject> all() {
    return JsonFields.of(client.get("/api/v1/objects"), "items");
  }

  /** The report of an object, whose exact name is used from then on. */
  private @Nullable JsonObject find(int target, List<JsonObject> all) {
    ObjectName name = targets.get(target).object();
    List<JsonObject> found = all.stream().filter(name::matches).toList();
    if (found.isEmpty()) {
      return null;
    }
    if (found.size() > 1) {
      throw new CommandException(
          name
              + ": exists in several namespaces (expected: KIND/NAMESPACE/NAME, such as "
              + ReportedObject.key(found.get(0))
              + ")");
    }
    targets.set(target, targets.get(target).withObject(ObjectName.of(found.get(0))));
    return found.get(0);
  }
}
