// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.xds.resources.endpoint;

import com.google.protobuf.ByteString;
import dev.holdfast.base.Decoded;
import dev.holdfast.base.Problems;
import dev.holdfast.xds.resources.DecodeOptions;
import dev.holdfast.xds.resources.decode.Decoding;
import java.util.ArrayList;
import java.util.List;

/** Decodes ClusterLoadAssignment resources. */
public final class ClusterLoadAssignmentDecoder {
  public static final String TYPE_URL =
      "type.googleapis.com/envoy.config.endpoint.v3.ClusterLoadAssignment";

  private static final Decoding.NameField<
          io.envoyproxy.envoy.config.endpoint.v3.ClusterLoadAssignment>
      NAME =
          new Decoding.NameField<>(
              "cluster_name",
              io.envoyproxy.envoy.config.endpoint.v3.ClusterLoadAssignment::getClusterName);

  private ClusterLoadAssignmentDecoder() {}

  /** Decodes one resource; throws nothing, whatever the bytes. */
  public static Decoded<ClusterLoadAssignment> decode(
      ByteString serialized, DecodeOptions options) {
    return Decoding.resource(
        serialized,
        io.envoyproxy.envoy.config.endpoint.v3.ClusterLoadAssignment.parser(),
        NAME,
        options,
        (proto, decoding, problems) -> decode(proto, problems));
  }

  private static ClusterLoadAssignment decode(
      io.envoyproxy.envoy.config.endpoint.v3.ClusterLoadAssignment proto, Problems problems) {
    LocalityDecoder localityDecoder = new LocalityDecoder();
    Priorities priorities = new Priorities();
    List<LocalityEndpoints> localities = new ArrayList<>(proto.getEndpointsCount());
    for (int i = 0; i < proto.getEndpointsCount() && !Decoding.full(problems); i++) {
      if (!LocalityDecoder.weighted(proto.getEndpoints(i))) {
        continue;
      }
      Problems at = problems.at("endpoints", i);
      LocalityEndpoints locality = localityDecoder.decode(proto.getEndpoints(i), at);
      priorities.add(locality, at);
      localities.add(locality);
    }
    priorities.finish(problems.at("endpoints"));
    List<DropOverload> drops =
        proto.getPolicy().getDropOverloadsCount() == 0
            ? List.of()
            : DropOverloadsDecoder.decode(proto.getPolicy(), problems.at("policy"));
    return new ClusterLoadAssignment(proto.getClusterName(), localities, drops);
  }
}
