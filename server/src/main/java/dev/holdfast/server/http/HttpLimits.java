// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.server.http;

import java.time.Duration;

/**
 * What the callers of an HTTP port can use up.
 *
 * @param connections how many may be open; one more ends the one that has kept us waiting longest
 * @param headers how many a request may have
 * @param headerBytes how long they and the first line may be together
 * @param bodyBytes how long a body may be
 * @param unreadBytes how many bytes of answers may wait for their callers; beyond that, the callers
 *     that have not read for the longest time lose their connections
 * @param longestRead from the first byte of a request to its last
 * @param longestWrite from the first byte of an answer to its last
 * @param longestIdle from the last byte of an answer, or the opening of the connection, to the
 *     first byte of a request
 */
public record HttpLimits(
    int connections,
    int headers,
    int headerBytes,
    int bodyBytes,
    long unreadBytes,
    Duration longestRead,
    Duration longestWrite,
    Duration longestIdle) {

  public static HttpLimits defaults() {
    return new HttpLimits(
        /* connections= */ 256,
        /* headers= */ 100,
        /* headerBytes= */ 64 << 10,
        /* bodyBytes= */ 64 << 10,
        /* unreadBytes= */ 64L << 20,
        /* longestRead= */ Duration.ofSeconds(10),
        /* longestWrite= */ Duration.ofSeconds(30),
        /* longestIdle= */ Duration.ofSeconds(30));
  }

  /** The same limits with one time for everything that a caller takes. */
  public HttpLimits within(Duration longest) {
    return new HttpLimits(
        connections, headers, headerBytes, bodyBytes, unreadBytes, longest, longest, longest);
  }
}
