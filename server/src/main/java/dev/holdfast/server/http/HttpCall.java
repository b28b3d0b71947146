// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.server.http;

import java.io.IOException;
import java.time.Duration;
import java.util.Map;

/** One request and the way back to its caller. Any thread may use it. */
public interface HttpCall {
  Request request();

  /** Who calls. */
  Peer peer();

  /** Answers, once; a second answer is ignored. Never blocks. */
  void answer(HttpResponse answer);

  /** Begins an answer without end, instead of {@link #answer}. */
  Stream stream(String contentType, Map<String, String> headers);

  /** An answer that is written bit by bit. */
  interface Stream extends AutoCloseable {
    /**
     * Writes a text, and returns when the network has taken it.
     *
     * @throws IOException if it does not in time, or if the caller is gone
     */
    void write(String text, Duration longest) throws IOException, InterruptedException;

    /** Has something called when the caller is gone, or at once if it is gone already. */
    void onEnd(Runnable listener);

    @Override
    void close();
  }

  /** Answers calls. */
  @FunctionalInterface
  interface Handler {
    /** Called on the thread of all connections: must not block. */
    void handle(HttpCall call);
  }
}
