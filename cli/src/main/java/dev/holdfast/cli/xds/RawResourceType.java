// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.cli.xds;

import com.google.protobuf.ByteString;
import com.google.protobuf.InvalidProtocolBufferException;
import com.google.protobuf.Message;
import dev.holdfast.base.Decoded;
import dev.holdfast.base.Problem;
import dev.holdfast.xds.client.Completeness;
import dev.holdfast.xds.client.ResourceType;
import dev.holdfast.xds.client.ServerConfig;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A type whose resources are judged by the real decoder but kept as the server sent them, to be
 * shown. Resources are equal if their messages are, so that a change shows even if it is one that
 * the decoder does not look at.
 */
final class RawResourceType implements ResourceType<Message> {
  private final ResourceType<?> judge;
  private final Message message;

  /**
   * @param message any instance of the type's message
   */
  RawResourceType(ResourceType<?> judge, Message message) {
    this.judge = judge;
    this.message = message;
  }

  @Override
  public String typeUrl() {
    return judge.typeUrl();
  }

  @Override
  public String shortName() {
    return judge.shortName();
  }

  @Override
  public Completeness completeness() {
    return judge.completeness();
  }

  @Override
  public @Nullable String peekName(ByteString serialized) {
    return judge.peekName(serialized);
  }

  @Override
  public Decoded<Message> decode(ByteString serialized, ServerConfig server) {
    return judge
        .decode(serialized, server)
        .fold(
            valid -> raw(valid.name(), serialized),
            invalid -> Decoded.invalid(invalid.name(), invalid.problems()));
  }

  private Decoded<Message> raw(String name, ByteString serialized) {
    try {
      return Decoded.valid(name, message.getParserForType().parseFrom(serialized));
    } catch (InvalidProtocolBufferException e) {
      return Decoded.invalid(
          name, List.of(new Problem("", Problem.Kind.UNDECODABLE, String.valueOf(e.getMessage()))));
    }
  }
}
