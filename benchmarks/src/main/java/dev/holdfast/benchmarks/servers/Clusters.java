// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.benchmarks.servers;

import dev.holdfast.benchmarks.SampleResources;
import io.envoyproxy.envoy.config.cluster.v3.Cluster;
import java.util.List;
import java.util.stream.IntStream;

/** The clusters that both sides serve. */
public final class Clusters {
  /** Is in the bytes of a cluster that a proxy may refuse. */
  public static final String BAD = "this-one-is-bad";

  private Clusters() {}

  static List<Cluster> of(int count) {
    return IntStream.range(0, count).mapToObj(index -> cluster(index, 0)).toList();
  }

  /** Which one the change of this number is about. */
  static int index(int change, int count) {
    return (int) (change * 7919L % count);
  }

  static Cluster cluster(int index, int generation) {
    return SampleResources.cluster(name(index), index, generation);
  }

  /** The name of the one that may turn bad. */
  public static String first() {
    return name(0);
  }

  static Cluster bad() {
    return cluster(0, 0).toBuilder().setAltStatName(BAD).build();
  }

  static String name(int index) {
    return "service-" + (100_000 + index) + ".prod.example.com";
  }
}
