// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.benchmarks.proxies;

/**
 * A response, as far as it must be known to answer it. SotW and Delta number these fields alike.
 *
 * @param size of the message in bytes
 * @param body its bytes, each as one character; empty unless the proxy keeps it
 */
public record ReceivedResponse(
    String typeUrl, String version, String nonce, int size, String body) {}
