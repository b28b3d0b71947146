// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.interop.serve;

/** Pieces of an ExtensionPolicy, and the scripts in them. */
public final class Lua {
  /** What no Lua can make sense of. */
  public static final String BROKEN = "function envoy_on_response(";

  private static final String TYPE = "type.googleapis.com/envoy.extensions.filters.http.lua.v3.";

  private Lua() {}

  /** A script that marks responses. */
  public static String mark(String value) {
    return "function envoy_on_response(handle) handle:headers():add('x-lua', '" + value + "') end";
  }

  /** A filter of the policy's own. */
  public static String filter(String script) {
    return """
        {name: lua, typedConfig: {"@type": %sLua,
          default_source_code: {inline_string: "%s"}}}\
        """
        .formatted(TYPE, script);
  }

  /** What is said to a Lua filter of some routes. */
  public static String perRoute(String script) {
    return """
        {name: lua, typedConfig: {"@type": %sLuaPerRoute,
          source_code: {inline_string: "%s"}}}\
        """
        .formatted(TYPE, script);
  }

  /** A policy for a proxy of its namespace. */
  public static String policy(String name, String target, String spec) {
    return Docs.policy(name, "targetRef: {%s}\n%s\n".formatted(target, spec));
  }
}
