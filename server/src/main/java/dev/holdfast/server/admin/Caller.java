// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.server.admin;

import dev.holdfast.server.options.AdminRole;
import org.jspecify.annotations.Nullable;

/**
 * Who calls.
 *
 * @param name that of a token or a certificate; for the audit log
 * @param role null if the caller may do nothing but to look at what is open to everybody
 */
record Caller(String name, @Nullable AdminRole role) {
  /** One that showed nothing. */
  static final String ANONYMOUS = "anonymous";

  boolean mayRead() {
    return role != null;
  }

  boolean mayOperate() {
    return role == AdminRole.OPERATE;
  }
}
