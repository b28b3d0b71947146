// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.controlplane.snapshot;

import java.util.List;

/** Maps the parts of a resource to the object fields they came from. Computed only on request. */
@FunctionalInterface
public interface Provenance {
  /**
   * Every part with a known origin, in the order of the resource; outer parts before inner ones.
   */
  List<SourcePlace> places();
}
