// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.controlplane.rollout.fleet;

import dev.holdfast.controlplane.snapshot.Resource;

/** What a proxy makes of what it is shown. */
public sealed interface Verdict {
  /** It has not said everything yet. */
  record Open() implements Verdict {}

  /** It runs all of it that it asked for. */
  record Accepted() implements Verdict {}

  /** It refuses some of it. */
  record Refused(String proxyClass, String agent, Resource resource, String message)
      implements Verdict {}

  /** It is not there any more. */
  record Gone() implements Verdict {}

  Verdict OPEN = new Open();
  Verdict ACCEPTED = new Accepted();
  Verdict GONE = new Gone();
}
