// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.testkit.envoy;

import com.google.protobuf.Any;
import com.google.protobuf.InvalidProtocolBufferException;
import com.google.protobuf.Message;
import io.envoyproxy.envoy.config.route.v3.FilterConfig;
import java.util.List;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** Goes through a message and all that is in it, in the order of its fields. */
final class MessageWalker {
  private MessageWalker() {}

  /** The first thing that somebody has to say of a message of some type. */
  static <M extends Message> @Nullable String first(
      Message message, Class<M> type, Function<? super M, @Nullable String> check) {
    if (type.isInstance(message)) {
      String said = check.apply(type.cast(message));
      if (said != null) {
        return said;
      }
    }
    Message wrapped = filterConfig(message);
    if (wrapped != null) {
      return first(wrapped, type, check);
    }
    for (Object value : message.getAllFields().values()) {
      List<?> values = value instanceof List<?> list ? list : List.of(value);
      for (Object each : values) {
        String said = each instanceof Message nested ? first(nested, type, check) : null;
        if (said != null) {
          return said;
        }
      }
    }
    return null;
  }

  /** What is said to a filter of a route may be inside of whether the filter is on there. */
  private static @Nullable Message filterConfig(Message message) {
    try {
      return message instanceof Any any && any.is(FilterConfig.class)
          ? any.unpack(FilterConfig.class)
          : null;
    } catch (InvalidProtocolBufferException e) {
      return null; // whoever decodes it says so
    }
  }
}
