// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.server.options;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * What one place says about the Envoys that the server itself runs as scouts; null is what it does
 * not say.
 *
 * @param wanted whether there are any
 * @param envoys the programs; each is one scout
 * @param bootstrap what the proxies are started with, for settings and the group that decide about
 *     their class
 * @param holds which findings hold an object; the others are only told
 */
public record ScoutOptions(
    @Nullable Boolean wanted,
    @Nullable List<Path> envoys,
    @Nullable Path bootstrap,
    @Nullable Set<ScoutFinding> holds) {
  private static final int MOST = 8;

  public ScoutOptions {
    envoys = envoys == null ? null : List.copyOf(envoys);
    holds = holds == null ? null : Set.copyOf(holds);
  }

  /** Says nothing. */
  public static ScoutOptions none() {
    return new ScoutOptions(null, null, null, null);
  }

  /**
   * Programs, separated by commas.
   *
   * @throws IllegalArgumentException if they are too many, or one cannot be a path
   */
  static List<Path> envoys(String text, Function<String, Path> path) {
    List<Path> envoys = new ArrayList<>();
    for (String each : text.split(",", -1)) {
      envoys.add(path.apply(each.strip()));
    }
    return checked(envoys);
  }

  /**
   * The same programs.
   *
   * @throws IllegalArgumentException if they are too many
   */
  public static List<Path> checked(List<Path> envoys) {
    if (envoys.size() > MOST) {
      throw new IllegalArgumentException(
          envoys.size() + " programs (expected: at most " + MOST + ", one for each class)");
    }
    return envoys;
  }

  /** What this says, and for the rest what another place says. */
  ScoutOptions orElse(ScoutOptions other) {
    return new ScoutOptions(
        wanted == null ? other.wanted : wanted,
        envoys == null ? other.envoys : envoys,
        bootstrap == null ? other.bootstrap : bootstrap,
        holds == null ? other.holds : holds);
  }

  /** Whether the server runs scouts: who names a program wants one. */
  public boolean isWanted() {
    return wanted == null ? !programs().isEmpty() : wanted;
  }

  /** The programs that are named; if there are none, the usual one is looked for. */
  public List<Path> programs() {
    return envoys == null ? List.of() : envoys;
  }

  /** Which findings hold an object. */
  public Set<ScoutFinding> holding() {
    return holds == null ? ScoutFinding.DEFAULT : holds;
  }
}
