// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.kubernetes.api;

import java.util.concurrent.CompletionStage;

/** A Kubernetes API server. Calls never block; answers come on any thread. */
public interface ApiServer {
  /**
   * Sends a request and reads the whole answer. The stage fails if there is no answer, with an
   * exception whose message says why.
   */
  CompletionStage<ApiResponse> send(ApiRequest request);

  /**
   * Opens a watch.
   *
   * @param path with the query
   * @return ends the watch; the listener may still hear of what was under way
   */
  Watch watch(String path, WatchListener listener);

  /** A watch that was opened. */
  @FunctionalInterface
  interface Watch {
    void cancel();
  }

  /** Is told what a watch brings, one call at a time. */
  interface WatchListener {
    /** The server accepted the watch. */
    void onOpen();

    /** An event, as JSON. */
    void onEvent(String json);

    /**
     * The watch is over.
     *
     * @param status the HTTP status; 0 if there was no answer at all
     * @param reason why; empty if the server ended it as it does from time to time
     */
    void onEnd(int status, String reason);
  }
}
