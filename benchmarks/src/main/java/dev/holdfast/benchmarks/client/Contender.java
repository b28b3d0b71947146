// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.benchmarks.client;

/** A make of client and how it is run. */
public enum Contender {
  HOLDFAST("holdfast", Protocol.SOTW),
  GRPC_XDS("grpc-xds", Protocol.SOTW),
  /** The peer has no counterpart; it is shown beside the peer's state-of-the-world numbers. */
  HOLDFAST_DELTA("holdfast-delta", Protocol.DELTA);

  private final String text;
  private final Protocol protocol;

  Contender(String text, Protocol protocol) {
    this.text = text;
    this.protocol = protocol;
  }

  /** The name it is known by. */
  public String text() {
    return text;
  }

  public Protocol protocol() {
    return protocol;
  }

  /** A new client that does all its work on {@code thread}. */
  public Client open(WireThread thread) {
    return switch (this) {
      case HOLDFAST, HOLDFAST_DELTA -> new HoldfastClient(thread, protocol);
      case GRPC_XDS -> new GrpcXdsClient(thread);
    };
  }
}
