// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.xds.client.conformance;

import dev.holdfast.xds.client.Completeness;
import dev.holdfast.xds.client.ServerFeature;
import dev.holdfast.xds.client.fixture.TestType;
import dev.holdfast.xds.client.transport.AdsProtocol;
import io.grpc.Status;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * One row of gRFC A88's table: for which circumstances it speaks, and what must follow.
 *
 * @param where {@code any}, {@code Delta}, {@code SotW full} or {@code SotW partial}
 * @param cached whether the resource is in use when the error happens
 * @param fail whether the server has {@code fail_on_data_errors}; as the next two: yes, no, any
 * @param slow whether it has {@code resource_timer_is_transient_error}
 * @param ignore whether it has {@code ignore_resource_deletion}
 * @param told what its watchers hear
 * @param state the label of the cache entry afterwards
 */
record A88Row(
    A88Error error,
    String where,
    boolean cached,
    String fail,
    String slow,
    String ignore,
    Told told,
    String state) {

  enum Kind {
    /** An error in place of a resource. */
    CHANGED,
    AMBIENT,
    NOTHING
  }

  record Told(Kind kind, Status.@Nullable Code code) {
    static Told parse(String text) {
      if (text.equals("nothing")) {
        return new Told(Kind.NOTHING, null);
      }
      String[] words = text.split(" ", -1);
      return new Told(
          words[0].equals("changed") ? Kind.CHANGED : Kind.AMBIENT, Status.Code.valueOf(words[1]));
    }
  }

  /** Reads a table: a heading, then one row per line. */
  static List<A88Row> parse(String table) {
    List<A88Row> rows = new ArrayList<>();
    for (String line : table.lines().skip(1).toList()) {
      String[] cell = line.split("\\|", -1);
      for (int i = 0; i < cell.length; i++) {
        cell[i] = cell[i].strip();
      }
      rows.add(
          new A88Row(
              A88Error.valueOf(cell[0]),
              cell[1],
              cell[2].equals("yes"),
              cell[3],
              cell[4],
              cell[5],
              Told.parse(cell[6]),
              cell[7]));
    }
    return rows;
  }

  boolean speaksFor(AdsProtocol protocol, TestType type, Set<ServerFeature> features) {
    return isWhere(protocol, type)
        && fits(fail, features.contains(ServerFeature.FAIL_ON_DATA_ERRORS))
        && fits(slow, features.contains(ServerFeature.RESOURCE_TIMER_IS_TRANSIENT_ERROR))
        && fits(ignore, features.contains(ServerFeature.IGNORE_RESOURCE_DELETION));
  }

  private boolean isWhere(AdsProtocol protocol, TestType type) {
    return switch (where) {
      case "any" -> true;
      case "Delta" -> protocol == AdsProtocol.DELTA;
      case "SotW full" -> protocol == AdsProtocol.SOTW && type.completeness() == Completeness.FULL;
      case "SotW partial" ->
          protocol == AdsProtocol.SOTW && type.completeness() == Completeness.PARTIAL;
      default -> throw new IllegalArgumentException(where);
    };
  }

  private static boolean fits(String cell, boolean has) {
    return cell.equals("any") || cell.equals(has ? "yes" : "no");
  }

  /** Whether the resource is in use after the error. */
  boolean keeps() {
    return cached && told.kind != Kind.CHANGED;
  }
}
