// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.controlplane.authors;

import dev.holdfast.envoy.api.Reach;
import org.jspecify.annotations.Nullable;

/** What a configuration of Envoy may do beyond the requests of its target, if it is allowed to. */
public enum Capability {
  /** Run Lua. */
  LUA,
  /** Run a WebAssembly module. */
  WASM,
  /** Load a library. */
  NATIVE,
  /** Use files of the proxy's machine. */
  FILE,
  /** Use the environment of the proxy's process, or the credentials of its machine. */
  ENVIRONMENT,
  /** Connect to where the configuration says. */
  REMOTE;

  /** What a finding needs; null if it needs nothing. */
  static @Nullable Capability of(Reach found) {
    return switch (found.kind()) {
      case LUA -> LUA;
      case WASM -> WASM;
      case NATIVE -> NATIVE;
      case FILE -> FILE;
      case ENVIRONMENT -> ENVIRONMENT;
      case REMOTE -> REMOTE;
      case TYPE, HEADER, UNKNOWN -> null;
    };
  }
}
