// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.controlplane.ads.reconnect;

import dev.holdfast.controlplane.snapshot.ResourceType;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;

/**
 * A process whose streams have ended: it has ended, too, or will connect again and name what it
 * holds. Loop only.
 */
final class EndedProcess {
  private final long id;
  private final boolean isDelta;
  private final Map<ResourceType, List<HeldVersion>> held = new EnumMap<>(ResourceType.class);
  private String name;
  private boolean isReplaced;

  EndedProcess(long id, String name, boolean isDelta) {
    this.id = id;
    this.name = name;
    this.isDelta = isDelta;
  }

  long id() {
    return id;
  }

  /** The name that it has, or had last. */
  String name() {
    return name;
  }

  boolean isDelta() {
    return isDelta;
  }

  /** Whether another process has its name since it was there. */
  boolean isReplaced() {
    return isReplaced;
  }

  void loseName() {
    isReplaced = true;
  }

  void isBack(String under) {
    isReplaced = false;
    name = under;
  }

  /** What it held when its streams ended, by type. */
  Map<ResourceType, List<HeldVersion>> held() {
    return held;
  }

  List<HeldVersion> held(ResourceType type) {
    return held.getOrDefault(type, List.of());
  }

  /** Whether it may be the process that claims to hold something. */
  boolean matches(HeldClaim claim) {
    ResourceType type = claim.type();
    return type != null
        && claim.isDelta() == isDelta
        && claim.matches(new PreviousVersions(held(type), List.of()));
  }
}
