// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.xds.resources.cluster;

import com.google.protobuf.UInt32Value;
import com.google.protobuf.UInt64Value;
import dev.holdfast.base.Problems;
import io.envoyproxy.envoy.config.cluster.v3.Cluster.LeastRequestLbConfig;
import io.envoyproxy.envoy.config.cluster.v3.Cluster.RingHashLbConfig;
import io.envoyproxy.envoy.extensions.load_balancing_policies.least_request.v3.LeastRequest;
import io.envoyproxy.envoy.extensions.load_balancing_policies.ring_hash.v3.RingHash;
import org.jspecify.annotations.Nullable;

/** The policies that a cluster can ask for in the old way and in the new one. */
final class LbPolicies {
  private static final int MAX_CHOICE_COUNT = 10;

  private static final LbPolicy ROUND_ROBIN = new LbPolicy.RoundRobin();

  private LbPolicies() {}

  /** One object for all clusters. */
  static LbPolicy roundRobin() {
    return ROUND_ROBIN;
  }

  /** One object for all clusters that spread over endpoints in the usual way. */
  static LbPolicy wrrLocality(LbPolicy endpointPolicy) {
    return endpointPolicy.equals(ROUND_ROBIN)
        ? LbPolicy.DEFAULT
        : new LbPolicy.WrrLocality(endpointPolicy);
  }

  static @Nullable LbPolicy ringHash(RingHash proto, Problems problems) {
    if (proto.getHashFunction() != RingHash.HashFunction.XX_HASH
        // Not set is Envoy's default, which is the one that is supported.
        && proto.getHashFunction() != RingHash.HashFunction.DEFAULT_HASH) {
      unsupportedHash(proto.getHashFunction(), problems);
    }
    return ringHash(
        proto.hasMinimumRingSize() ? proto.getMinimumRingSize() : null,
        proto.hasMaximumRingSize() ? proto.getMaximumRingSize() : null,
        problems);
  }

  static @Nullable LbPolicy ringHash(RingHashLbConfig proto, Problems problems) {
    if (proto.getHashFunction() != RingHashLbConfig.HashFunction.XX_HASH) {
      unsupportedHash(proto.getHashFunction(), problems);
    }
    return ringHash(
        proto.hasMinimumRingSize() ? proto.getMinimumRingSize() : null,
        proto.hasMaximumRingSize() ? proto.getMaximumRingSize() : null,
        problems);
  }

  private static void unsupportedHash(Enum<?> function, Problems problems) {
    problems.at("hash_function").unsupported(function + " (expected: XX_HASH)");
  }

  private static @Nullable LbPolicy ringHash(
      @Nullable UInt64Value minimum, @Nullable UInt64Value maximum, Problems problems) {
    int before = problems.count();
    long min =
        ringSize(minimum, LbPolicy.RingHash.DEFAULT_MIN_RING_SIZE, problems, "minimum_ring_size");
    long max = ringSize(maximum, LbPolicy.RingHash.MAX_RING_SIZE, problems, "maximum_ring_size");
    if (problems.count() > before) {
      return null;
    }
    if (min > max) {
      problems
          .at("maximum_ring_size")
          .invalid(max + " (expected: at least minimum_ring_size, which is " + min + ")");
      return null;
    }
    return new LbPolicy.RingHash(min, max);
  }

  private static long ringSize(
      @Nullable UInt64Value value, long otherwise, Problems problems, String field) {
    if (value == null) {
      return otherwise;
    }
    long size = value.getValue();
    if (size == 0 || Long.compareUnsigned(size, LbPolicy.RingHash.MAX_RING_SIZE) > 0) {
      problems
          .at(field)
          .invalid(
              Long.toUnsignedString(size)
                  + " (expected: 1 to "
                  + LbPolicy.RingHash.MAX_RING_SIZE
                  + ")");
    }
    return size;
  }

  static @Nullable LbPolicy leastRequest(LeastRequest proto, Problems problems) {
    return leastRequest(proto.hasChoiceCount() ? proto.getChoiceCount() : null, problems);
  }

  static @Nullable LbPolicy leastRequest(LeastRequestLbConfig proto, Problems problems) {
    return leastRequest(proto.hasChoiceCount() ? proto.getChoiceCount() : null, problems);
  }

  /** A48: fewer than 2 choices are an error, more than 10 become 10. */
  private static @Nullable LbPolicy leastRequest(@Nullable UInt32Value choices, Problems problems) {
    if (choices == null) {
      return new LbPolicy.LeastRequest(LbPolicy.LeastRequest.DEFAULT_CHOICE_COUNT);
    }
    long count = Integer.toUnsignedLong(choices.getValue());
    if (count < 2) {
      problems.at("choice_count").invalid(count + " (expected: at least 2)");
      return null;
    }
    return new LbPolicy.LeastRequest((int) Math.min(count, MAX_CHOICE_COUNT));
  }
}
