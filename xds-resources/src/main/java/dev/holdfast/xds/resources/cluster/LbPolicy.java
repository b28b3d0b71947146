// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.xds.resources.cluster;

import com.google.protobuf.Struct;
import java.time.Duration;
import java.util.List;

/** A load balancing policy with its configuration, all defaults filled in. */
public sealed interface LbPolicy {

  /** What gRPC's registry calls it. */
  String name();

  /** Handles all kinds. */
  <R> R accept(Visitor<R> visitor);

  /** One method for each kind of policy. */
  interface Visitor<R> {
    R roundRobin(RoundRobin policy);

    R pickFirst(PickFirst policy);

    R ringHash(RingHash policy);

    R leastRequest(LeastRequest policy);

    R wrrLocality(WrrLocality policy);

    R clientSideWeightedRoundRobin(ClientSideWeightedRoundRobin policy);

    R custom(Custom policy);
  }

  /** What a cluster uses that does not ask for anything else. */
  LbPolicy DEFAULT = new WrrLocality(new RoundRobin());

  /** One endpoint after the other. */
  record RoundRobin() implements LbPolicy {
    @Override
    public String name() {
      return "round_robin";
    }

    @Override
    public <R> R accept(Visitor<R> visitor) {
      return visitor.roundRobin(this);
    }
  }

  /** The first endpoint that can be reached (gRFC A62). */
  record PickFirst(boolean shuffleAddressList) implements LbPolicy {
    @Override
    public String name() {
      return "pick_first";
    }

    @Override
    public <R> R accept(Visitor<R> visitor) {
      return visitor.pickFirst(this);
    }
  }

  /**
   * The endpoint that a hash of the call falls to (gRFC A42). The client may cap the sizes further.
   */
  record RingHash(long minRingSize, long maxRingSize) implements LbPolicy {
    public static final long DEFAULT_MIN_RING_SIZE = 1024;
    public static final long MAX_RING_SIZE = 8 * 1024 * 1024;

    @Override
    public String name() {
      return "ring_hash_experimental";
    }

    @Override
    public <R> R accept(Visitor<R> visitor) {
      return visitor.ringHash(this);
    }
  }

  /** The least busy of some endpoints chosen by chance, 2 to 10 of them (gRFC A48). */
  record LeastRequest(int choiceCount) implements LbPolicy {
    public static final int DEFAULT_CHOICE_COUNT = 2;

    @Override
    public String name() {
      return "least_request_experimental";
    }

    @Override
    public <R> R accept(Visitor<R> visitor) {
      return visitor.leastRequest(this);
    }
  }

  /** Localities by their weights, endpoints by another policy (gRFC A52). */
  record WrrLocality(LbPolicy endpointPolicy) implements LbPolicy {
    @Override
    public String name() {
      return "xds_wrr_locality_experimental";
    }

    @Override
    public <R> R accept(Visitor<R> visitor) {
      return visitor.wrrLocality(this);
    }
  }

  /** Endpoints by the load that they report (gRFC A58). */
  record ClientSideWeightedRoundRobin(
      boolean enableOobLoadReport,
      Duration oobReportingPeriod,
      Duration blackoutPeriod,
      Duration weightExpirationPeriod,
      Duration weightUpdatePeriod,
      float errorUtilizationPenalty,
      List<String> metricNamesForComputingUtilization)
      implements LbPolicy {
    public ClientSideWeightedRoundRobin {
      metricNamesForComputingUtilization = List.copyOf(metricNamesForComputingUtilization);
    }

    @Override
    public String name() {
      return "weighted_round_robin";
    }

    @Override
    public <R> R accept(Visitor<R> visitor) {
      return visitor.clientSideWeightedRoundRobin(this);
    }
  }

  /** A policy of the application's own (gRFC A52). */
  record Custom(String name, Struct config) implements LbPolicy {
    @Override
    public <R> R accept(Visitor<R> visitor) {
      return visitor.custom(this);
    }
  }
}
