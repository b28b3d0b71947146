// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.benchmarks;

import com.google.protobuf.Any;
import com.google.protobuf.ByteString;
import dev.holdfast.benchmarks.client.Kind;
import dev.holdfast.benchmarks.client.Protocol;
import dev.holdfast.benchmarks.client.Response;
import io.envoyproxy.envoy.service.discovery.v3.DeltaDiscoveryResponse;
import io.envoyproxy.envoy.service.discovery.v3.DiscoveryResponse;
import io.envoyproxy.envoy.service.discovery.v3.Resource;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;

/** The configuration of many services, which changes one resource at a time. */
final class Fleet {
  private final Kind kind;
  private final List<ByteString> resources = new ArrayList<>();
  private int version;

  Fleet(Kind kind, int size) {
    this.kind = kind;
    for (int i = 0; i < size; i++) {
      resources.add(resource(i, /* generation= */ 0));
    }
  }

  /** The names of a fleet of {@code size}. */
  static List<String> names(int size) {
    return names(0, size);
  }

  /** The names from {@code from} up to and without {@code to}. */
  static List<String> names(int from, int to) {
    return IntStream.range(from, to).mapToObj(Fleet::name).toList();
  }

  private static String name(int index) {
    return "service-" + (100_000 + index) + ".prod.example.com";
  }

  /** The next change, to a resource that depends only on how many there were before. */
  int change() {
    version++;
    int index = (int) (version * 7919L % resources.size());
    resources.set(index, resource(index, version));
    return index;
  }

  /** A response that holds everything. */
  Response everything(Protocol protocol) {
    return response(protocol, IntStream.range(0, resources.size()));
  }

  /** A response that holds one resource. */
  Response only(Protocol protocol, int index) {
    return response(protocol, IntStream.of(index));
  }

  private Response response(Protocol protocol, IntStream indexes) {
    return switch (protocol) {
      case SOTW -> sotw(indexes);
      case DELTA -> delta(indexes);
    };
  }

  private Response sotw(IntStream indexes) {
    String nonce = nextNonce();
    DiscoveryResponse.Builder response =
        DiscoveryResponse.newBuilder()
            .setTypeUrl(kind.typeUrl())
            .setVersionInfo("v" + nonce)
            .setNonce(nonce);
    indexes.forEach(i -> response.addResources(any(i)));
    return new Response(nonce, response.build().toByteArray());
  }

  private Response delta(IntStream indexes) {
    String nonce = nextNonce();
    DeltaDiscoveryResponse.Builder response =
        DeltaDiscoveryResponse.newBuilder().setTypeUrl(kind.typeUrl()).setNonce(nonce);
    indexes.forEach(
        i ->
            response.addResources(
                Resource.newBuilder()
                    .setName(name(i))
                    .setVersion("v" + nonce)
                    .setResource(any(i))));
    return new Response(nonce, response.build().toByteArray());
  }

  private String nextNonce() {
    version++;
    return Integer.toString(version);
  }

  private Any any(int index) {
    return Any.newBuilder().setTypeUrl(kind.typeUrl()).setValue(resources.get(index)).build();
  }

  private ByteString resource(int index, int generation) {
    return switch (kind) {
      case CLUSTER -> SampleResources.cluster(name(index), index, generation).toByteString();
      case ENDPOINT -> SampleResources.endpoints(name(index), index, generation).toByteString();
    };
  }
}
