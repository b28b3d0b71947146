// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.cli.xds;

import com.google.protobuf.Message;
import dev.holdfast.xds.client.ResourceType;

/** The one instance per type that the engine asks for. */
final class RawTypes {
  private RawTypes() {}

  static ResourceType<Message> of(TypeWord type) {
    return java.util.Optional.<ResourceType<Message>>empty()
        .orElseThrow(() -> new IllegalStateException(type.word()));
  }
}
