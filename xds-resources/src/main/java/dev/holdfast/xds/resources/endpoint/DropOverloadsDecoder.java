// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.xds.resources.endpoint;

import dev.holdfast.base.Problems;
import dev.holdfast.xds.resources.decode.Decoding;
import dev.holdfast.xds.resources.decode.Fractions;
import java.util.ArrayList;
import java.util.List;

/** Decodes {@code drop_overloads}; the overprovisioning factor beside it is ignored (gRFC A27). */
final class DropOverloadsDecoder {
  private DropOverloadsDecoder() {}

  /** The drops; incomplete if problems were reported. */
  static List<DropOverload> decode(
      io.envoyproxy.envoy.config.endpoint.v3.ClusterLoadAssignment.Policy proto,
      Problems problems) {
    List<DropOverload> drops = new ArrayList<>(proto.getDropOverloadsCount());
    for (int i = 0; i < proto.getDropOverloadsCount() && !Decoding.full(problems); i++) {
      var drop = proto.getDropOverloads(i);
      Problems at = problems.at("drop_overloads", i);
      if (drop.getCategory().isEmpty()) {
        at.at("category").required("not set (expected: under which heading calls are dropped)");
      }
      Problems atPercentage = at.at("drop_percentage");
      if (!drop.hasDropPercentage()) {
        atPercentage.required("not set (expected: how many calls are dropped)");
      }
      drops.add(
          new DropOverload(
              drop.getCategory(), Fractions.perMillion(drop.getDropPercentage(), atPercentage)));
    }
    return drops;
  }
}
