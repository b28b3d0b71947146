// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.xds.resources.endpoint;

/** A place where endpoints are; all parts may be empty. */
public record Locality(String region, String zone, String subZone) {
  public Locality {
    // A fleet has a handful of localities and they stand in every one of its assignments.
    region = region.intern();
    zone = zone.intern();
    subZone = subZone.intern();
  }
}
