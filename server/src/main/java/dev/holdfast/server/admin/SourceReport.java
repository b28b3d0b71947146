// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.server.admin;

import static java.util.Objects.requireNonNull;

import java.time.Instant;
import java.util.Comparator;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Where the objects come from, and how current they are.
 *
 * @param type {@code files} or {@code kubernetes}
 * @param place for people
 * @param leader the replica that leads; empty if there is no election
 * @param kinds how current the objects of each kind are; empty for files, which are read as a whole
 * @param waitingStatuses statuses that wait to be written back to the source
 */
public record SourceReport(
    String type, String place, String leader, List<Kind> kinds, int waitingStatuses) {
  /** The objects are those of the source. */
  public static final String CURRENT = "current";

  /** The source does not know the kind: there are no such objects. */
  public static final String UNKNOWN = "unknown";

  /** Nothing is known of the source. */
  public static final SourceReport NONE = new SourceReport("", "", "", List.of(), 0);

  /**
   * The objects of one kind.
   *
   * @param kind such as {@code HTTPProxy}
   * @param namespace empty for all
   * @param state {@link #CURRENT}, {@link #UNKNOWN}, or in one word what is wrong
   * @param reason for people; empty if the objects are current
   * @param since when the objects were last known to be current
   * @param objects how many there are
   */
  public record Kind(
      String kind, String namespace, String state, String reason, Instant since, int objects) {
    public Kind {
      requireNonNull(since, "since");
    }

    /** Whether there may be newer objects. A kind that nobody installed has none. */
    boolean isStale() {
      return !state.equals(CURRENT) && !state.equals(UNKNOWN);
    }

    @Override
    public String toString() {
      return kind + (namespace.isEmpty() ? "" : " of namespace " + namespace) + " " + state;
    }
  }

  public SourceReport {
    kinds = List.copyOf(kinds);
  }

  /** A source that is read as a whole. */
  public static SourceReport of(String type, String place) {
    return new SourceReport(type, place, "", List.of(), 0);
  }

  public SourceReport ledBy(String newLeader) {
    return new SourceReport(type, place, newLeader, kinds, waitingStatuses);
  }

  /** The kind that has been stale for longest; null if none is. */
  @Nullable Kind stalest() {
    return kinds.stream().filter(Kind::isStale).min(Comparator.comparing(Kind::since)).orElse(null);
  }
}
