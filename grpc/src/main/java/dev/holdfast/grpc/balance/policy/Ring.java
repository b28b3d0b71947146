// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.grpc.balance.policy;

import dev.holdfast.grpc.hash.XxHash64;
import java.util.Arrays;
import java.util.List;

/**
 * Where on the circle of all hashes each endpoint answers (gRFC A42). An endpoint has as many
 * places as its weight earns; which ones follows from its key alone, so that all clients agree.
 *
 * <p>The order is that of signed numbers, which begins at another place of the same circle than
 * that of unsigned ones.
 */
final class Ring {
  static final Ring EMPTY = new Ring(new Place[0]);

  private final long[] hashes;
  private final int[] endpoints;

  /** An endpoint as the ring sees it. */
  record Member(String key, long weight) {}

  private record Place(long hash, int endpoint) implements Comparable<Place> {
    @Override
    public int compareTo(Place other) {
      int byHash = Long.compare(hash, other.hash);
      return byHash != 0 ? byHash : Integer.compare(endpoint, other.endpoint);
    }
  }

  private Ring(Place[] places) {
    hashes = new long[places.length];
    endpoints = new int[places.length];
    for (int i = 0; i < places.length; i++) {
      hashes[i] = places[i].hash;
      endpoints[i] = places[i].endpoint;
    }
  }

  /**
   * Builds a ring that has at least {@code min} places, more where the least weight needs them to
   * get a whole number of places, and at most {@code max}, give or take the rounding. At least one
   * member.
   */
  static Ring of(List<Member> members, long min, long max) {
    double sum = 0;
    double least = Double.MAX_VALUE;
    for (Member member : members) {
      sum += member.weight();
      least = Math.min(least, (double) member.weight());
    }
    double share = least / sum;
    double scale = Math.min(Math.ceil(share * min) / share, (double) max);
    Place[] places = new Place[(int) Math.ceil(scale) + 1];
    int size = 0;
    double target = 0;
    for (int endpoint = 0; endpoint < members.size(); endpoint++) {
      Member member = members.get(endpoint);
      target += scale * member.weight() / sum;
      for (int i = 0; size < target && size < places.length; i++) {
        places[size++] = new Place(XxHash64.hashUtf8(member.key() + "_" + i), endpoint);
      }
    }
    places = Arrays.copyOf(places, size);
    Arrays.sort(places);
    return new Ring(places);
  }

  int size() {
    return hashes.length;
  }

  /** The place that a hash falls to: the first that is not before it. */
  int find(long hash) {
    int found = Arrays.binarySearch(hashes, hash);
    int index = found < 0 ? -found - 1 : found;
    return index == hashes.length ? 0 : index;
  }

  /** The endpoint at a place, as its index in the list of members; places go on in a circle. */
  int endpointAt(int place) {
    return endpoints[place % endpoints.length];
  }
}
