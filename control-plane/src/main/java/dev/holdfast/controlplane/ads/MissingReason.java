// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.controlplane.ads;

import dev.holdfast.controlplane.snapshot.Resource;
import dev.holdfast.controlplane.snapshot.ResourceId;

/** Why a resource that was asked for is not there, in words for who asked. */
final class MissingReason {
  private MissingReason() {}

  static String reason(ResourceId id, AdsStream stream) {
    Resource newest = stream.view().get(id);
    if (newest != null) {
      RejectedVersions.Rejected rejected = stream.rejections().of(newest);
      if (rejected != null) {
        return id + " is held back: this client rejected it: " + rejected.message();
      }
    }
    String known = stream.view().absence(id);
    if (known != null) {
      return known;
    }
    return switch (id.type()) {
      case LISTENER -> id + " does not exist: no object has the host " + id.name();
      case ROUTES, CLUSTER, ENDPOINTS, SECRET, EXTENSION ->
          id + " does not exist: no object needs it";
    };
  }
}
