// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.envoy.api;

import dev.holdfast.config.Position;

/**
 * A part of a configuration that reaches beyond the requests it is for.
 *
 * @param kind what it reaches
 * @param what the type, the field or the header that does
 * @param path of the field as its author spells it, starting inside the configuration
 * @param position where it is written
 */
public record Reach(Kind kind, String what, String path, Position position) {

  /** What a part of a configuration does. */
  public enum Kind {
    /** Names the type of a message: the configuration itself, or one inside of it. */
    TYPE,
    /** Runs Lua, which can read and write the files of the proxy, and run programs. */
    LUA,
    /** Runs a WebAssembly module. */
    WASM,
    /** Loads a library into the process of the proxy. */
    NATIVE,
    /** Reads or writes a file of the proxy's machine, or a directory or socket of it. */
    FILE,
    /** Reads the environment of the proxy's process, or uses the credentials of its machine. */
    ENVIRONMENT,
    /** Makes the proxy connect to where the configuration says, and not to one of its clusters. */
    REMOTE,
    /** Sets or removes a header. */
    HEADER,
    /** Cannot be looked into. */
    UNKNOWN
  }
}
