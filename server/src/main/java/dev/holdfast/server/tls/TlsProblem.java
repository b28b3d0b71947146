// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.server.tls;

import java.time.Instant;

/**
 * Why the TLS files of a port are not as they should be.
 *
 * @param message with the file and what helps
 * @param since when that was noticed
 */
public record TlsProblem(String message, Instant since) {}
