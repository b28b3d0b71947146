// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.server.options;

import java.util.Locale;

/** What a caller of the admin port may do. */
public enum AdminRole {
  /** See everything that the port shows. */
  READ,
  /** Also retry what is held, and confirm deletions. */
  OPERATE;

  /**
   * @throws IllegalArgumentException if it is none
   */
  static AdminRole parse(String text) {
    for (AdminRole role : values()) {
      if (role.word().equals(text)) {
        return role;
      }
    }
    throw new IllegalArgumentException("'" + text + "' (expected: read or operate)");
  }

  public String word() {
    return name().toLowerCase(Locale.ROOT);
  }
}
