// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.benchmarks.client;

/** A discovery response as it comes from a socket. Every contender gets the very same bytes. */
public final class Response {
  private final String nonce;
  private final byte[] serialized;

  /** Takes the bytes over: nobody may change them any more. */
  public Response(String nonce, byte[] serialized) {
    this.nonce = nonce;
    this.serialized = serialized;
  }

  public String nonce() {
    return nonce;
  }

  /** The bytes themselves, not a copy. */
  public byte[] serialized() {
    return serialized;
  }
}
