// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.controlplane.translate.proto.route;

import com.google.protobuf.Any;
import dev.holdfast.controlplane.objects.httpproxy.CookieRewrite;
import dev.holdfast.controlplane.translate.proto.Anys;
import io.envoyproxy.envoy.extensions.filters.http.lua.v3.LuaPerRoute;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Rewrites of cookies as configuration of the Lua filter. The rules are a part of the script,
 * because no release of Envoy that we support lacks scripts per route, and many lack parameters for
 * them.
 */
final class CookieRewrites {
  /**
   * Attributes that a rule sets are taken out, whatever their case, and added at the end. {@code
   * false} takes an attribute out.
   */
  private static final String SCRIPT =
      """
      local order = {"path", "domain", "secure", "samesite"}
      local function rewrite(cookie)
        local name = string.match(cookie, "^%s*([^=;%s]+)%s*=")
        local rule = name and rules[name]
        if not rule then return cookie end
        local parts = {}
        for part in string.gmatch(cookie, "[^;]+") do
          local text = string.match(part, "^%s*(.-)%s*$")
          local attribute = string.lower(string.match(text, "^([^=%s]*)"))
          if #parts == 0 or (text ~= "" and rule[attribute] == nil) then
            parts[#parts + 1] = text
          end
        end
        for _, attribute in ipairs(order) do
          if rule[attribute] then parts[#parts + 1] = rule[attribute] end
        end
        return table.concat(parts, "; ")
      end
      function envoy_on_response(handle)
        local headers = handle:headers()
        if not headers:get("set-cookie") then return end
        local cookies = {}
        for key, value in pairs(headers) do
          if key == "set-cookie" then cookies[#cookies + 1] = rewrite(value) end
        end
        headers:remove("set-cookie")
        for _, cookie in ipairs(cookies) do headers:add("set-cookie", cookie) end
      end
      """;

  private CookieRewrites() {}

  static Any of(List<CookieRewrite> rewrites) {
    StringBuilder script = new StringBuilder("local rules = {\n");
    rewrites.forEach(rewrite -> appendRule(script, rewrite));
    script.append("}\n").append(SCRIPT);
    LuaPerRoute.Builder perRoute = LuaPerRoute.newBuilder();
    perRoute.getSourceCodeBuilder().setInlineString(script.toString());
    return Anys.of(perRoute.build());
  }

  private static void appendRule(StringBuilder script, CookieRewrite rewrite) {
    script.append('[').append(quoted(rewrite.name())).append("] = {");
    append(script, "path", rewrite.path() == null ? null : "Path=" + rewrite.path());
    append(script, "domain", rewrite.domain() == null ? null : "Domain=" + rewrite.domain());
    if (rewrite.secure() != null) {
      script.append("secure = ").append(rewrite.secure() ? "\"Secure\"" : "false").append(", ");
    }
    append(
        script,
        "samesite",
        rewrite.sameSite() == null ? null : "SameSite=" + rewrite.sameSite().word());
    script.append("},\n");
  }

  private static void append(StringBuilder script, String attribute, @Nullable String text) {
    if (text != null) {
      script.append(attribute).append(" = ").append(quoted(text)).append(", ");
    }
  }

  /** A Lua string in which every byte that may have a meaning is a number. */
  private static String quoted(String text) {
    StringBuilder quoted = new StringBuilder("\"");
    for (byte b : text.getBytes(StandardCharsets.UTF_8)) {
      int c = b & 0xff;
      if (c < 0x80 && (Character.isLetterOrDigit(c) || "-_./= ".indexOf(c) >= 0)) {
        quoted.append((char) c);
      } else {
        quoted.append(String.format("\\%03d", c));
      }
    }
    return quoted.append('"').toString();
  }
}
