// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.controlplane;

import dev.holdfast.config.ObjectKey;
import dev.holdfast.config.Rejection;
import dev.holdfast.controlplane.rollout.trial.StoredLoss;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * Canaries that were lost, in the form of rejections, as which they are stored. The message has a
 * line of words about the loss, and a line for each object that the proxy was shown.
 */
final class LossText {
  /** Stands where rejections have the type of a resource; no resource has this type. */
  private static final String TYPE = "holdfast.dev/lost-canary";

  private static final String SILENT = "silent";
  private static final String COLD = "cold";
  private static final String DEATH = "death";
  private static final String ALONE = "alone";

  private LossText() {}

  static boolean isLoss(Rejection rejection) {
    return rejection.typeUrl().equals(TYPE);
  }

  static Rejection.Key key(StoredLoss.Key loss) {
    return new Rejection.Key(loss.proxyClass(), loss.node(), TYPE, "", Long.toString(loss.trial()));
  }

  static Rejection rejection(StoredLoss loss) {
    List<String> words = new ArrayList<>();
    words.add(Long.toString(loss.after().toMillis()));
    if (loss.isSilent()) {
      words.add(SILENT);
    }
    if (loss.isCold()) {
      words.add(COLD);
    }
    if (loss.isDeath()) {
      words.add(DEATH);
    }
    if (loss.isAlone()) {
      words.add(ALONE);
    }
    List<String> lines = new ArrayList<>();
    lines.add(String.join(" ", words));
    loss.shown().forEach((key, generation) -> lines.add(generation + " " + key));
    Rejection.Key key = key(loss.key());
    return new Rejection(
        key.proxyClass(),
        key.nodeId(),
        key.typeUrl(),
        key.resourceName(),
        key.version(),
        String.join("\n", lines),
        loss.at());
  }

  /** Empty if it was written by a version that writes it otherwise. */
  static Optional<StoredLoss> read(Rejection rejection) {
    List<String> lines = List.of(rejection.message().split("\n", -1));
    List<String> words = Arrays.asList(lines.get(0).split(" ", -1));
    try {
      SortedMap<ObjectKey, Long> shown = new TreeMap<>();
      for (String line : lines.subList(1, lines.size())) {
        int blank = line.indexOf(' ');
        String[] key = line.substring(blank + 1).split("/", 3);
        shown.put(new ObjectKey(key[0], key[1], key[2]), Long.parseLong(line.substring(0, blank)));
      }
      return Optional.of(
          new StoredLoss(
              new StoredLoss.Key(
                  rejection.proxyClass(), rejection.nodeId(), Long.parseLong(rejection.version())),
              words.contains(SILENT),
              words.contains(COLD),
              words.contains(DEATH),
              words.contains(ALONE),
              Duration.ofMillis(Long.parseLong(words.get(0))),
              rejection.at(),
              shown));
    } catch (IndexOutOfBoundsException | NumberFormatException e) {
      return Optional.empty();
    }
  }
}
