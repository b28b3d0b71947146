// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.controlplane.ads;

import dev.holdfast.controlplane.snapshot.Resource;
import java.util.Map;

/**
 * Which of the things that are to be said go into the next response. Content that no proxy of the
 * class has accepted yet travels alone, so that the answer tells what it is an answer to.
 *
 * <p>Two exceptions. A SotW response for clusters or listeners has to hold them all; a rejection
 * names those it blames. And so does the first response to a proxy that has none.
 */
final class ResponsePacker {
  /** gRPC clients take no more than 4 MiB in one message unless told otherwise. */
  private static final int MOST_BYTES = 3 << 20;

  /** What surrounds each resource or error in a response: type, version, lengths. */
  private static final int OVERHEAD = 160;

  private ResponsePacker() {}

  static PlannedResponse next(PlannedResponse all, AdsStream stream, TypeStream typeStream) {
    if (all.isOneResource()) {
      return all; // in company or not, it is alone
    }
    boolean together =
        typeStream.type().isWildcard()
            && (stream.sendsFullState(typeStream.type()) || typeStream.isCold());
    PlannedResponse draft = new PlannedResponse();
    draft.removes.addAll(all.removes);
    long bytes = 0;
    for (Map.Entry<String, String> missing : all.missing.entrySet()) {
      bytes += OVERHEAD + utf8(missing.getKey()) + utf8(missing.getValue());
      if (bytes <= MOST_BYTES || draft.missing.isEmpty()) {
        draft.missing.put(missing.getKey(), missing.getValue());
      }
    }
    Resource alone = null;
    for (Map.Entry<String, Resource> send : all.sends.entrySet()) {
      Resource resource = send.getValue();
      boolean mayShare =
          (together && !typeStream.isSuspect(send.getKey())) || stream.isProven(resource);
      if (!mayShare) {
        boolean sooner =
            alone == null || (typeStream.has(alone.name()) && !typeStream.has(send.getKey()));
        alone = sooner ? resource : alone; // what is waited for goes before what is changed
      } else if (together || draft.isEmpty() || bytes + size(resource) <= MOST_BYTES) {
        draft.sends.put(send.getKey(), resource);
        bytes += size(resource);
      }
    }
    if (alone != null && draft.sends.isEmpty() && draft.removes.isEmpty()) {
      draft.sends.put(alone.name(), alone);
    }
    return draft;
  }

  private static long size(Resource resource) {
    return OVERHEAD + resource.body().size() + utf8(resource.name());
  }

  /** How many bytes a text has at most. */
  private static long utf8(String text) {
    return 3L * text.length();
  }
}
