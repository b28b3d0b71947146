// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.config;

import java.util.concurrent.CompletionStage;

/** Several servers have one state: decides which of them leads, and tells its listener. */
public interface Election {
  void start();

  /** Whether no other server can lead now. Any thread may ask. */
  boolean mayWrite();

  /** The server that leads, as far as this one knows; empty if none does. Any thread may ask. */
  String leader();

  /** Why the election does not go on, for people; empty if it does. Any thread may ask. */
  String problem();

  /**
   * Leads no more, and lets another server lead at once if that is possible.
   *
   * @return completed when the others can know, whether they do or not
   */
  CompletionStage<?> close();

  /** Is told how the election goes, by one thread at a time. */
  interface Listener {
    /** This server leads now. */
    void onLeading();

    /** Another server leads; this one must stop. */
    void onLost(String leader);

    /** This server waits; told when the leader changes. */
    void onStandby(String leader);
  }
}
