// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.demo.shop;

import dev.holdfast.demo.traffic.CallResult;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.Function;

/**
 * Ten teams edit at the same time, and one makes a mistake that only a proxy can see. Which mistake
 * that is depends on which proxies there are.
 */
public enum EditRound {
  /** For gRPC clients that route themselves. */
  ROUTES("HTTPProxy", "v1", "v3") {
    @Override
    public String seen(CallResult answer) {
      return answer.backend();
    }

    @Override
    String text(Team team, String value) {
      return ShopObjects.routes(team, value);
    }

    @Override
    String mistake(Team team, String value) {
      return ShopObjects.routesByCustomer(team, value);
    }
  },

  /** For Envoy, which runs scripts. */
  SCRIPTS("ExtensionPolicy", "old", "new") {
    @Override
    public String seen(CallResult answer) {
      return answer.mark();
    }

    @Override
    String text(Team team, String value) {
      return ShopObjects.script(team, value);
    }

    @Override
    String mistake(Team team, String value) {
      return ShopObjects.brokenScript(team, value);
    }
  };

  /** Who makes the mistake: in the middle of the others. */
  public static final Team CULPRIT = Team.PAYMENTS;

  private final String kind;
  private final String before;
  private final String after;

  EditRound(String kind, String before, String after) {
    this.kind = kind;
    this.before = before;
    this.after = after;
  }

  /** Of what kind the objects are that are edited. */
  public String kind() {
    return kind;
  }

  /** What callers see before. */
  public String before() {
    return before;
  }

  /** What callers are to see after it. */
  public String after() {
    return after;
  }

  /** What there is to see in an answer. */
  public abstract String seen(CallResult answer);

  abstract String text(Team team, String value);

  abstract String mistake(Team team, String value);

  /** The files as they are before. */
  public SortedMap<String, String> first() {
    return files(team -> text(team, before));
  }

  /** The files of ten teams, one with a mistake in it. */
  public SortedMap<String, String> edit() {
    return files(team -> team == CULPRIT ? mistake(team, after) : text(team, after));
  }

  /** The file of the one who made the mistake, without it. */
  public String fixed() {
    return text(CULPRIT, after);
  }

  /** The file that a team writes. */
  public String file(Team team) {
    return team.object() + (this == SCRIPTS ? "-script.yaml" : ".yaml");
  }

  private SortedMap<String, String> files(Function<Team, String> text) {
    SortedMap<String, String> files = new TreeMap<>();
    for (Team team : Team.values()) {
      files.put(file(team), text.apply(team));
    }
    return files;
  }
}
