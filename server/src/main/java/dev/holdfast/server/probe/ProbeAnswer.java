// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.server.probe;

/**
 * What came back.
 *
 * @param status of the answer; 0 if none came
 * @param isFromSink whether the sink gave it, and not the proxy itself
 * @param text the first words of the answer, or why none came
 */
public record ProbeAnswer(Kind kind, int status, boolean isFromSink, String text) {
  /** The ways in which a request ends. */
  public enum Kind {
    ANSWERED,
    /** The connection ended before there was an answer. */
    CLOSED,
    /** There was none in time. */
    SILENT,
    /** TLS was not agreed upon, so the request was never sent. */
    NO_TLS
  }

  static ProbeAnswer none(Kind kind, String text) {
    return new ProbeAnswer(kind, 0, /* isFromSink= */ false, text);
  }
}
