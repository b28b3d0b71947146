// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.xds.resources.filter;

import java.time.Duration;

/**
 * The cookie that says which endpoint a session is at (gRFC A55).
 *
 * @param path of the calls that it is for, as cookies have it; empty for all
 * @param ttl how long applications are to keep it; zero for as long as they like
 */
public record SessionCookie(String name, String path, Duration ttl) {

  /**
   * Whether the cookie is for calls of that path (RFC 6265, section 5.1.4).
   *
   * @param callPath with a slash at its beginning
   */
  public boolean isFor(String callPath) {
    return callPath.startsWith(path)
        && (callPath.length() == path.length()
            || path.isEmpty()
            || path.endsWith("/")
            || callPath.charAt(path.length()) == '/');
  }
}
