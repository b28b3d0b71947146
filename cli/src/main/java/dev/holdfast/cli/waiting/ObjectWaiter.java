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
 * Looks at objects whenever something happens on the server, and now and then although nothing
 * seems to, until they are what they are to be. Which proxy accepted something is no event.
 */
public final class ObjectWaiter {
  private static final Duration LOOK_EVERY = Duration.ofMillis(500);

  /** Of more than so many objects all there are are read, in one request. */
  private static final int FEW = 8;

  private final AdminClient client;
  private final WaitCondition purpose;
  private final List<WaitTarget> goals;

  public ObjectWaiter(AdminClient client, WaitCondition purpose, List<WaitTarget> goals) {
    this.client = client;
    this.purpose = purpose;
    this.goals = new ArrayList<>(goals);
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
      try (PollTrigger pulse = new PollTrigger(client, time, LOOK_EVERY, timeout)) {
        for (boolean inTime = true; inTime && !outcome.over(); ) {
          inTime = pulse.await();
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
   * While the server searches for those to blame, all that was refused together counts as refused:
   * a refusal is one only when the search is over.
   */
  private WaitResult look() {
    WaitResult outcome = glance();
    if (!outcome.over() || !outcome.isRejected()) {
      return outcome;
    }
    return isSearching() ? new WaitResult(outcome.standings(), /* over= */ false) : glance();
  }

  private boolean isSearching() {
    return JsonFields.of(client.get("/api/v1/incidents"), "items").stream()
        .anyMatch(incident -> JsonFields.text(incident, "tookMillis").isEmpty());
  }

  private WaitResult glance() {
    List<@Nullable JsonObject> reports = goals.size() <= FEW ? each() : among();
    List<ObjectProgress> standings = new ArrayList<>();
    for (int i = 0; i < goals.size(); i++) {
      standings.add(ObjectProgress.of(goals.get(i), purpose, reports.get(i)));
    }
    return WaitResult.of(standings, purpose);
  }

  private List<@Nullable JsonObject> each() {
    List<@Nullable JsonObject> reports = new ArrayList<>();
    List<JsonObject> all = null;
    for (int i = 0; i < goals.size(); i++) {
      ObjectName name = goals.get(i).object();
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
    for (int i = 0; i < goals.size(); i++) {
      reports.add(find(i, all));
    }
    return reports;
  }

  private List<JsonObject> all() {
    return JsonFields.of(client.get("/api/v1/objects"), "items");
  }

  /** The report of an object, whose exact name is used from then on. */
  private @Nullable JsonObject find(int goal, List<JsonObject> all) {
    ObjectName name = goals.get(goal).object();
    List<JsonObject> found = all.stream().filter(name::matches).toList();
    if (found.isEmpty()) {
      return null;
    }
    if (found.size() > 1) {
      throw new CommandException(
          name
              + ": in several namespaces (expected: KIND/NAMESPACE/NAME, such as "
              + ReportedObject.key(found.get(0))
              + ")");
    }
    goals.set(goal, goals.get(goal).withObject(ObjectName.of(found.get(0))));
    return found.get(0);
  }
}
