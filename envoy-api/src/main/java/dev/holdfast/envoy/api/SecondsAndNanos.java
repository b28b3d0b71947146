// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.envoy.api;

import com.google.protobuf.Descriptors.Descriptor;
import com.google.protobuf.Message;
import java.math.BigDecimal;

/** A Duration or a Timestamp as a number of seconds and nanoseconds. */
record SecondsAndNanos(long seconds, int nanos) implements Comparable<SecondsAndNanos> {
  static SecondsAndNanos of(Object message) {
    Message moment = (Message) message;
    Descriptor type = moment.getDescriptorForType();
    return new SecondsAndNanos(
        (Long) moment.getField(type.findFieldByName("seconds")),
        (Integer) moment.getField(type.findFieldByName("nanos")));
  }

  @Override
  public int compareTo(SecondsAndNanos other) {
    int order = Long.compare(seconds, other.seconds);
    return order == 0 ? Integer.compare(nanos, other.nanos) : order;
  }

  /** As in JSON: {@code 1.5s}. */
  @Override
  public String toString() {
    BigDecimal exact = BigDecimal.valueOf(seconds).add(BigDecimal.valueOf(nanos, 9));
    return (exact.signum() == 0 ? "0" : exact.stripTrailingZeros().toPlainString()) + "s";
  }
}
