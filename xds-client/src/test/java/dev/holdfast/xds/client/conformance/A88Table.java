// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.xds.client.conformance;

import dev.holdfast.xds.client.ServerFeature;
import dev.holdfast.xds.client.fixture.TestType;
import dev.holdfast.xds.client.transport.AdsProtocol;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * "Summary of Behavior Changes" of gRFC A88, with the cache states that its text demands, and with
 * what the table leaves open: Delta, types whose responses need not be complete, and what the two
 * columns mean for features that they do not mention.
 */
final class A88Table {
  /** The column "New Behavior". */
  static final List<A88Row> NEW =
      A88Row.parse(
          """
          error                 | where        | cached | fail | slow | ignore | told                       | state
          CHANNEL_FAILURE       | any          | no     | any  | any  | any    | changed UNAVAILABLE        | requested
          CHANNEL_FAILURE       | any          | yes    | any  | any  | any    | ambient UNAVAILABLE        | acked
          STREAM_FAILURE        | any          | no     | any  | any  | any    | changed UNAVAILABLE        | requested
          STREAM_FAILURE        | any          | yes    | any  | any  | any    | ambient UNAVAILABLE        | acked
          STREAM_CLOSED         | any          | no     | any  | any  | any    | changed UNAVAILABLE        | requested
          STREAM_CLOSED         | any          | yes    | any  | any  | any    | ambient UNAVAILABLE        | acked
          NACK                  | any          | no     | any  | any  | any    | changed INVALID_ARGUMENT   | nacked
          NACK                  | any          | yes    | no   | any  | any    | ambient INVALID_ARGUMENT   | nacked_but_cached
          NACK                  | any          | yes    | yes  | any  | any    | changed INVALID_ARGUMENT   | nacked
          TIMER                 | any          | no     | any  | no   | any    | changed NOT_FOUND          | does_not_exist
          TIMER                 | any          | no     | any  | yes  | any    | changed UNAVAILABLE        | timeout
          TIMER                 | any          | yes    | any  | any  | any    | nothing                    | acked
          DELETION              | SotW full    | no     | any  | any  | any    | nothing                    | requested
          DELETION              | SotW full    | yes    | no   | any  | any    | ambient NOT_FOUND          | does_not_exist_but_cached
          DELETION              | SotW full    | yes    | yes  | any  | any    | changed NOT_FOUND          | does_not_exist
          DELETION              | SotW partial | no     | any  | any  | any    | nothing                    | requested
          DELETION              | SotW partial | yes    | any  | any  | any    | nothing                    | acked
          DELETION              | Delta        | no     | any  | any  | any    | changed NOT_FOUND          | does_not_exist
          DELETION              | Delta        | yes    | no   | any  | any    | ambient NOT_FOUND          | does_not_exist_but_cached
          DELETION              | Delta        | yes    | yes  | any  | any    | changed NOT_FOUND          | does_not_exist
          TP3_NOT_FOUND         | any          | no     | any  | any  | any    | changed NOT_FOUND          | received_error
          TP3_NOT_FOUND         | any          | yes    | no   | any  | any    | ambient NOT_FOUND          | received_error_but_cached
          TP3_NOT_FOUND         | any          | yes    | yes  | any  | any    | changed NOT_FOUND          | received_error
          TP3_PERMISSION_DENIED | any          | no     | any  | any  | any    | changed PERMISSION_DENIED  | received_error
          TP3_PERMISSION_DENIED | any          | yes    | no   | any  | any    | ambient PERMISSION_DENIED  | received_error_but_cached
          TP3_PERMISSION_DENIED | any          | yes    | yes  | any  | any    | changed PERMISSION_DENIED  | received_error
          TP3_OTHER             | any          | no     | any  | any  | any    | changed RESOURCE_EXHAUSTED | received_error
          TP3_OTHER             | any          | yes    | any  | any  | any    | ambient RESOURCE_EXHAUSTED | received_error_but_cached
          """);

  /**
   * The column "Old Behavior", for the switch being off: gRFC A57 and A53. The server's errors are
   * not read, so a listener or cluster that only has one is missing from the response.
   */
  static final List<A88Row> OLD =
      A88Row.parse(
          """
          error                 | where        | cached | fail | slow | ignore | told                       | state
          CHANNEL_FAILURE       | any          | no     | any  | any  | any    | changed UNAVAILABLE        | requested
          CHANNEL_FAILURE       | any          | yes    | any  | any  | any    | ambient UNAVAILABLE        | acked
          STREAM_FAILURE        | any          | no     | any  | any  | any    | changed UNAVAILABLE        | requested
          STREAM_FAILURE        | any          | yes    | any  | any  | any    | ambient UNAVAILABLE        | acked
          STREAM_CLOSED         | any          | no     | any  | any  | any    | changed UNAVAILABLE        | requested
          STREAM_CLOSED         | any          | yes    | any  | any  | any    | ambient UNAVAILABLE        | acked
          NACK                  | any          | no     | any  | any  | any    | changed INVALID_ARGUMENT   | nacked
          NACK                  | any          | yes    | any  | any  | any    | ambient INVALID_ARGUMENT   | nacked_but_cached
          TIMER                 | any          | no     | any  | any  | any    | changed NOT_FOUND          | does_not_exist
          TIMER                 | any          | yes    | any  | any  | any    | nothing                    | acked
          DELETION              | SotW full    | no     | any  | any  | any    | nothing                    | requested
          DELETION              | SotW full    | yes    | any  | any  | no     | changed NOT_FOUND          | does_not_exist
          DELETION              | SotW full    | yes    | any  | any  | yes    | nothing                    | acked
          DELETION              | SotW partial | no     | any  | any  | any    | nothing                    | requested
          DELETION              | SotW partial | yes    | any  | any  | any    | nothing                    | acked
          DELETION              | Delta        | no     | any  | any  | any    | changed NOT_FOUND          | does_not_exist
          DELETION              | Delta        | yes    | any  | any  | no     | changed NOT_FOUND          | does_not_exist
          DELETION              | Delta        | yes    | any  | any  | yes    | nothing                    | acked
          TP3_NOT_FOUND         | any          | no     | any  | any  | any    | nothing                    | requested
          TP3_NOT_FOUND         | SotW full    | yes    | any  | any  | no     | changed NOT_FOUND          | does_not_exist
          TP3_NOT_FOUND         | SotW full    | yes    | any  | any  | yes    | nothing                    | acked
          TP3_NOT_FOUND         | SotW partial | yes    | any  | any  | any    | nothing                    | acked
          TP3_NOT_FOUND         | Delta        | yes    | any  | any  | any    | nothing                    | acked
          TP3_PERMISSION_DENIED | any          | no     | any  | any  | any    | nothing                    | requested
          TP3_PERMISSION_DENIED | SotW full    | yes    | any  | any  | no     | changed NOT_FOUND          | does_not_exist
          TP3_PERMISSION_DENIED | SotW full    | yes    | any  | any  | yes    | nothing                    | acked
          TP3_PERMISSION_DENIED | SotW partial | yes    | any  | any  | any    | nothing                    | acked
          TP3_PERMISSION_DENIED | Delta        | yes    | any  | any  | any    | nothing                    | acked
          TP3_OTHER             | any          | no     | any  | any  | any    | nothing                    | requested
          TP3_OTHER             | SotW full    | yes    | any  | any  | no     | changed NOT_FOUND          | does_not_exist
          TP3_OTHER             | SotW full    | yes    | any  | any  | yes    | nothing                    | acked
          TP3_OTHER             | SotW partial | yes    | any  | any  | any    | nothing                    | acked
          TP3_OTHER             | Delta        | yes    | any  | any  | any    | nothing                    | acked
          """);

  /** One of those whose responses are complete, and one of the others. */
  static final List<TestType> TYPES = List.of(TestType.LDS, TestType.RDS);

  private A88Table() {}

  /** A row in one of the circumstances that it speaks for. */
  record Case(
      A88Row row,
      boolean dataErrorHandling,
      AdsProtocol protocol,
      TestType type,
      Set<ServerFeature> features) {
    @Override
    public String toString() {
      String with =
          features.stream().map(ServerFeature::text).sorted().collect(Collectors.joining("+"));
      return protocol
          + " "
          + type
          + " "
          + row.error()
          + (row.cached() ? " cached" : "")
          + (with.isEmpty() ? "" : " " + with)
          + (dataErrorHandling ? "" : " switched off");
    }
  }

  /** Every combination of protocol, type, error, cached or not, and features, with its row. */
  static List<Case> cases(boolean dataErrorHandling) {
    List<Case> cases = new ArrayList<>();
    for (AdsProtocol protocol : AdsProtocol.values()) {
      for (TestType type : TYPES) {
        for (Set<ServerFeature> features : featureSets()) {
          for (A88Row row : dataErrorHandling ? NEW : OLD) {
            if (row.speaksFor(protocol, type, features)) {
              cases.add(new Case(row, dataErrorHandling, protocol, type, features));
            }
          }
        }
      }
    }
    return cases;
  }

  private static List<Set<ServerFeature>> featureSets() {
    List<Set<ServerFeature>> sets = new ArrayList<>();
    sets.add(EnumSet.noneOf(ServerFeature.class));
    for (ServerFeature feature :
        List.of(
            ServerFeature.FAIL_ON_DATA_ERRORS,
            ServerFeature.RESOURCE_TIMER_IS_TRANSIENT_ERROR,
            ServerFeature.IGNORE_RESOURCE_DELETION)) {
      for (Set<ServerFeature> set : List.copyOf(sets)) {
        EnumSet<ServerFeature> more = EnumSet.copyOf(set);
        more.add(feature);
        sets.add(more);
      }
    }
    return sets;
  }
}
