// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.controlplane.objects.httpproxy;

import dev.holdfast.controlplane.objects.read.Fields;
import dev.holdfast.controlplane.objects.read.Timeout;

/** The timeouts of a route. */
public record TimeoutPolicy(Timeout response, Timeout idle, Timeout idleConnection) {
  private static final TimeoutPolicy NONE =
      new TimeoutPolicy(Timeout.DEFAULT, Timeout.DEFAULT, Timeout.DEFAULT);

  /** The field {@code timeoutPolicy} of any object that has one. */
  public static TimeoutPolicy decode(Fields parent) {
    TimeoutPolicy policy =
        parent.group(
            "timeoutPolicy",
            fields ->
                new TimeoutPolicy(
                    fields.timeout("response"),
                    fields.timeout("idle"),
                    fields.timeout("idleConnection")));
    return policy == null ? NONE : policy;
  }
}
