// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.controlplane.snapshot;

import java.util.List;

/** Where the parts of a resource came from; worked out only when somebody asks. */
@FunctionalInterface
public interface Provenance {
  /** Every part whose origin is known, in the order of the resource; outer parts before inner. */
  List<SourcePlace> places();
}
