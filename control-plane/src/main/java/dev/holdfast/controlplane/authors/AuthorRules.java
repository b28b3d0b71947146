// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.controlplane.authors;

import static java.util.Objects.requireNonNull;

import dev.holdfast.config.ConfigObject;
import dev.holdfast.config.LocatedProblem;
import java.util.List;

/**
 * The rules for authors, and the objects that are older than they are.
 *
 * @param served the rules do not count for these
 */
public record AuthorRules(AuthorPolicy policy, ServedContents served) {
  /** Everything is allowed. */
  public static final AuthorRules NONE = new AuthorRules(AuthorPolicy.NONE, new ServedContents());

  public AuthorRules {
    requireNonNull(policy, "policy");
    requireNonNull(served, "served");
  }

  /** What an object must not contain. */
  public List<LocatedProblem> problems(ConfigObject object) {
    return AuthorCheck.check(policy, object);
  }

  /** Whether an object goes on being served whatever the rules say. */
  public boolean tolerate(ConfigObject object) {
    return served.contains(object);
  }
}
