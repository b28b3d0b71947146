// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.controlplane.authors;

import static java.util.Objects.requireNonNull;

import java.util.List;

/**
 * What the authors of objects may write. It never changes while a control plane runs.
 *
 * @param directories which namespaces the files of which directories may have; empty for all
 * @param hosts which namespaces may have which hosts; empty for whoever comes first
 * @param extensions what ExtensionPolicies may contain
 * @param headers which headers objects may set and remove
 */
public record AuthorPolicy(
    List<DirectoryRule> directories,
    List<HostRule> hosts,
    ExtensionRules extensions,
    HeaderRules headers) {

  /** For authors that are trusted like the operator. */
  public static final AuthorPolicy NONE =
      new AuthorPolicy(List.of(), List.of(), ExtensionRules.ALL, HeaderRules.ALL);

  /** What is safe if the authors are of several teams. */
  public static final AuthorPolicy SAFE =
      new AuthorPolicy(List.of(), List.of(), ExtensionRules.SAFE, HeaderRules.SAFE);

  public AuthorPolicy {
    directories = List.copyOf(directories);
    hosts = List.copyOf(hosts);
    requireNonNull(extensions, "extensions");
    requireNonNull(headers, "headers");
  }
}
