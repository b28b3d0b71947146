// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.controlplane.ads.stream;

import dev.holdfast.controlplane.snapshot.Resource;
import java.util.Collection;
import java.util.List;

/**
 * What a NACK means for the proxy.
 *
 * @param offenders the resources to blame
 * @param refusedRemovals the names that the proxy refuses to give up
 */
record NackOutcome(List<Resource> offenders, Collection<String> refusedRemovals) {
  static final NackOutcome NOTHING = new NackOutcome(List.of(), List.of());
}
