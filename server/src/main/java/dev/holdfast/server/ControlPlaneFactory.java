// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.server;

import dev.holdfast.server.options.ServeOptions;
import dev.holdfast.server.options.StartException;

/** Starts the control plane that a daemon serves. */
@FunctionalInterface
public interface ControlPlaneFactory {
  /**
   * Opens the state and begins to read the source. Objects need not have been read when it returns:
   * the daemon waits for {@code reports().ready()}.
   *
   * @throws StartException if the state or the source cannot be used; nothing stays open
   */
  RunningControlPlane start(ServeOptions options) throws StartException;

  /** Objects where the options say, and the state in a file, for the only server of these. */
  static ControlPlaneFactory embedded() {
    return options -> EmbeddedControlPlane.start(options, StateFiles.open(options), null, () -> "");
  }

  /** The same for one of several replicas. */
  static ControlPlaneFactory embedded(Leadership leadership) {
    return options ->
        EmbeddedControlPlane.start(
            options, leadership.openState(), leadership.source(), leadership::leader);
  }
}
