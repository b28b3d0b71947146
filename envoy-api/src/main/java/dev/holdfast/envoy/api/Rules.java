// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.envoy.api;

import com.google.protobuf.Message;
import dev.holdfast.base.Problem;
import dev.holdfast.base.Problems;
import java.util.List;

/**
 * The checks that Envoy makes of every message it decodes, before it looks at what the message
 * means: the constraints in the API itself ({@code validate.rules}), the range of durations, and
 * fields that are no longer allowed. One violation makes Envoy discard a whole response, so none
 * may get that far.
 *
 * <p>Messages may be of generated classes or not. Anys are looked into if their type is known.
 */
public final class Rules {
  private Rules() {}

  /** Everything that is wrong, in the order of the fields in the API; empty if nothing is. */
  public static List<Problem> check(Message message) {
    Problems problems = new Problems();
    check(message, problems);
    return problems.list();
  }

  /** Reports everything that is wrong. */
  public static void check(Message message, Problems problems) {
    new RuleChecker(EnvoyTypes.get()).start(message, problems);
  }
}
