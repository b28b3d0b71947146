// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.controlplane.simulation;

import dev.holdfast.testkit.ManualTime;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;

/** The applications of a run. Their part of chance is their own. */
final class Apps {
  private final Chance chance;
  private final AppServing serving;
  private final AppRest rest;
  private final List<App> all = new ArrayList<>();

  Apps(long seed, AppServing serving, AppRest rest) {
    chance = new Chance(~seed);
    this.serving = serving;
    this.rest = rest;
  }

  /**
   * @param hosts how many there are
   */
  void start(int hosts, ManualTime time, Consumer<Link> opened) {
    int count = chance.one(List.of(0, 0, 0, 1, 1, 1, 2, 3));
    for (int i = 0; i < count; i++) {
      List<String> names = new ArrayList<>();
      for (int host = 0; host < hosts; host++) {
        names.add("h" + host + ".test");
      }
      while (names.size() > 3 || (names.size() > 1 && chance.percent(30))) {
        names.remove(chance.below(names.size()));
      }
      all.add(new App("app" + i, chance.percent(50), chance.percent(50), names, time, opened));
    }
  }

  /** Whether one of them has something to do, and does not hang. */
  boolean hasTurn() {
    return all.stream().anyMatch(App::hasTurn);
  }

  /** Lets one of them get on; the result says which. */
  String turn() {
    App app = chance.one(all.stream().filter(App::hasTurn).toList());
    app.turn();
    serving.look(app);
    return app + " turn";
  }

  /** Whether it is one of them that the next fault befalls. */
  boolean isNext() {
    return !all.isEmpty() && chance.percent(30);
  }

  /** Something befalls one of them; the result says what. */
  String fault() {
    App app = chance.one(all);
    serving.disturbed();
    int dice = chance.below(100);
    if (dice < 45) {
      Link link = app.link();
      if (link == null || !link.isOpen()) {
        return app + " has no stream to break";
      }
      link.cut();
      return link + " breaks";
    }
    if (dice < 60) {
      String which = app.toString();
      serving.restarted(app);
      app.restart();
      return which + " restarts";
    }
    if (dice < 85) {
      app.hang();
      return app + " hangs";
    }
    app.wake();
    return app + " wakes";
  }

  void wake() {
    all.forEach(App::wake);
  }

  void edited() {
    serving.edited();
  }

  void serverDied() {
    all.forEach(serving::serverDied);
  }

  void atRest(Life life) {
    all.forEach(app -> rest.check(app, life));
    serving.atRest();
    all.forEach(serving::look);
  }

  void end() {
    all.forEach(App::end);
  }
}
