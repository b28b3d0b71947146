// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.benchmarks;

import com.google.protobuf.InvalidProtocolBufferException;
import dev.holdfast.benchmarks.client.Kind;
import dev.holdfast.benchmarks.client.Response;
import dev.holdfast.benchmarks.report.Samples;
import io.envoyproxy.envoy.service.discovery.v3.DiscoveryRequest;
import io.envoyproxy.envoy.service.discovery.v3.DiscoveryResponse;
import java.util.List;

/** What the wire alone costs: a response parsed, its ACK built and serialised, and no client. */
final class WireFloor {
  private final List<String> names;
  private final byte[] response;
  private long sink;

  WireFloor(int clusters, Response response) {
    this.names = Fleet.names(clusters);
    this.response = response.serialized();
  }

  Samples millis(int warmups, int rounds) {
    double[] millis = new double[rounds];
    for (int round = -warmups; round < rounds; round++) {
      System.gc();
      long start = System.nanoTime();
      sink += once();
      if (round >= 0) {
        millis[round] = (System.nanoTime() - start) / 1e6;
      }
    }
    return new Samples(millis);
  }

  private int once() {
    try {
      DiscoveryResponse parsed = DiscoveryResponse.parseFrom(response);
      DiscoveryRequest.Builder ack =
          DiscoveryRequest.newBuilder()
              .setTypeUrl(Kind.CLUSTER.typeUrl())
              .setVersionInfo(parsed.getVersionInfo())
              .setResponseNonce(parsed.getNonce())
              .addAllResourceNames(names);
      return parsed.getResourcesCount() + ack.build().toByteArray().length;
    } catch (InvalidProtocolBufferException e) {
      throw new IllegalStateException(e);
    }
  }

  /** Keeps the work from being optimised away. */
  long sink() {
    return sink;
  }
}
