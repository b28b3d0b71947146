// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.controlplane.translate.proto;

import com.google.protobuf.Any;
import com.google.protobuf.Message;
import dev.holdfast.controlplane.snapshot.Digests;

/** Packs messages into {@code Any}. */
public final class Anys {
  private static final String TYPE_URL_PREFIX = "type.googleapis.com/";

  private Anys() {}

  /** The packed message; equal messages give equal bytes, even if they contain maps. */
  public static Any of(Message message) {
    return Any.newBuilder()
        .setTypeUrl(TYPE_URL_PREFIX + message.getDescriptorForType().getFullName())
        .setValue(Digests.serialise(message))
        .build();
  }
}
