// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.grpc.balance.policy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.holdfast.grpc.hash.XxHash64;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

class RingTest {

  private static Ring.Member member(String key, long weight) {
    return new Ring.Member(key, weight);
  }

  @Test
  void hasAtLeastTheMinimumSizeSharedEvenly() {
    Ring ring = Ring.of(List.of(member("a", 1), member("b", 1), member("c", 1)), 1024, 4096);
    // 342 for each: the first multiple of three that is large enough.
    assertThat(ring.size()).isEqualTo(1026);
    assertThat(places(ring, 3)).containsExactly(342, 342, 342);
  }

  @Test
  void sharesPlacesByWeight() {
    Ring ring = Ring.of(List.of(member("a", 6), member("b", 3), member("c", 1)), 1000, 4096);
    assertThat(places(ring, 3)).containsExactly(600, 300, 100);
  }

  @Test
  void isNotLargerThanTheMaximum() {
    Ring ring = Ring.of(List.of(member("a", 1), member("b", 1_000_000)), 1024, 4096);
    assertThat(ring.size()).isBetween(4096, 4097);
  }

  @Test
  void takesWeightsOfAnySize() {
    Ring ring =
        Ring.of(List.of(member("a", Long.MAX_VALUE), member("b", Long.MAX_VALUE)), 100, 4096);
    assertThat(places(ring, 2)).containsExactly(50, 50);
  }

  @Test
  void placesFollowFromTheKey() {
    Ring ring = Ring.of(List.of(member("10.0.0.1:80", 1), member("10.0.0.2:80", 1)), 100, 100);
    for (int i = 0; i < 50; i++) {
      assertThat(ring.endpointAt(ring.find(XxHash64.hash("10.0.0.1:80_" + i)))).isZero();
      assertThat(ring.endpointAt(ring.find(XxHash64.hash("10.0.0.2:80_" + i)))).isEqualTo(1);
    }
  }

  @Test
  void callsFallToTheNextPlaceAndRoundTheCircle() {
    Ring ring = Ring.of(List.of(member("a", 1), member("b", 1)), 8, 8);
    assertThat(ring.find(Long.MAX_VALUE)).isEqualTo(ring.find(Long.MIN_VALUE));
    assertThat(ring.endpointAt(ring.size())).isEqualTo(ring.endpointAt(0));
  }

  @Test
  void anEndpointThatGoesMovesItsOwnCallsOnly() {
    List<Ring.Member> members = new ArrayList<>();
    for (int i = 0; i < 10; i++) {
      members.add(member("10.0.0." + i + ":80", 1));
    }
    // One size per endpoint in both, as servers that scale do: the places of the others are kept.
    Ring before = Ring.of(members, 1000, 4096);
    Ring after = Ring.of(members.subList(0, 9), 900, 4096);
    Random random = new Random(3);
    int moved = 0;
    for (int i = 0; i < 10_000; i++) {
      long hash = random.nextLong();
      int owner = before.endpointAt(before.find(hash));
      if (owner == 9) {
        moved++;
      } else {
        assertThat(after.endpointAt(after.find(hash))).isEqualTo(owner);
      }
    }
    assertThat(moved / 10_000.0).isCloseTo(0.1, within(0.03));
  }

  private static int[] places(Ring ring, int members) {
    int[] places = new int[members];
    for (int i = 0; i < ring.size(); i++) {
      places[ring.endpointAt(i)]++;
    }
    return places;
  }
}
