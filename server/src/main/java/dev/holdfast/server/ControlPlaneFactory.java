// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.server;

import dev.holdfast.server.options.ServeOptions;
import dev.holdfast.server.options.StartException;
import java.util.ServiceLoader;

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

  /**
   * The one that this program was built with.
   *
   * @throws StartException if it was built without
   */
  static ControlPlaneFactory installed() throws StartException {
    return ServiceLoader.load(ControlPlaneFactory.class)
        .findFirst()
        .orElseThrow(() -> new StartException("this program was built without a control plane"));
  }
}
