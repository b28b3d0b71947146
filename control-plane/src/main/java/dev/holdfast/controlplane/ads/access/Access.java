// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.controlplane.ads.access;

import dev.holdfast.controlplane.snapshot.ResourceType;
import dev.holdfast.controlplane.snapshot.Snapshot;

/** What a connected client may have, and whether it has a vote. Loop only. */
public final class Access {
  /** That of clients without rules. */
  public static final Access FULL = new Access("", AccessRule.Role.PROXY, true, true);

  private final String identity;
  private final AccessRule.Role role;
  private final boolean vote;
  private final boolean secrets;

  /** The latest result of {@link #in}: one rule often is that of a whole fleet. */
  private Snapshot source = Snapshot.empty();

  private Snapshot visible = Snapshot.empty();

  Access(String identity, AccessRule.Role role, boolean vote, boolean secrets) {
    this.identity = identity;
    this.role = role;
    this.vote = vote;
    this.secrets = secrets;
  }

  /** Whether what the client accepts and rejects counts; a scout is asked, and never counts. */
  public boolean mayVote() {
    return vote && !isScout();
  }

  /** Whether the client tries changes before all others, and serves nobody. */
  public boolean isScout() {
    return role == AccessRule.Role.SCOUT;
  }

  private boolean isEnvoy() {
    return role == AccessRule.Role.PROXY || role == AccessRule.Role.SCOUT;
  }

  /** Whether the client may have resources of a type. */
  public boolean allows(ResourceType type) {
    return switch (type) {
      case SECRET -> secrets && isEnvoy();
      case EXTENSION -> isEnvoy();
      case CLUSTER, ENDPOINTS, LISTENER, ROUTES, VIRTUAL_HOST -> role != AccessRule.Role.OBSERVER;
    };
  }

  /** Of a snapshot, what the client may have. */
  public Snapshot in(Snapshot snapshot) {
    if (isEnvoy() && secrets) {
      return snapshot;
    }
    if (snapshot != source) {
      source = snapshot;
      visible = filter(snapshot);
    }
    return visible;
  }

  private Snapshot filter(Snapshot snapshot) {
    Snapshot filtered = snapshot;
    for (ResourceType type : ResourceType.ALL) {
      if (!allows(type)) {
        filtered = filtered.withoutAll(type);
      }
    }
    // The listeners and routes of proxies; applications have those of their hosts by name.
    return role == AccessRule.Role.APPLICATION
        ? filtered
            .withoutListed(ResourceType.LISTENER)
            .withoutListed(ResourceType.ROUTES)
            .withoutListed(ResourceType.VIRTUAL_HOST)
        : filtered;
  }

  /** The rule that it follows from, for texts. */
  public String identity() {
    return identity;
  }
}
