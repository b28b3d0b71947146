// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.envoy.api;

import com.google.re2j.Pattern;
import java.net.URI;
import java.net.URISyntaxException;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Strings of well-known forms. */
final class FormatChecks {
  private static final Pattern LABEL =
      Pattern.compile("[A-Za-z0-9]([-A-Za-z0-9]{0,61}[A-Za-z0-9])?");
  private static final Pattern IPV4 =
      Pattern.compile("((25[0-5]|2[0-4][0-9]|1?[0-9]?[0-9])(\\.|$)){4}");
  private static final Pattern HEX = Pattern.compile("[0-9a-fA-F]{1,4}");
  private static final Pattern UUID =
      Pattern.compile("[0-9a-fA-F]{8}(-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}");

  private static final Pattern NAME = Pattern.compile(":?[0-9a-zA-Z!#$%&'*+\\-.^_|~`]+");
  private static final Pattern VALUE = Pattern.compile("[^\\x00-\\x08\\x0a-\\x1f\\x7f]*");
  private static final Pattern ONE_LINE = Pattern.compile("[^\\x00\\x0a\\x0d]*");

  private static final Map<String, Check> BY_NAME =
      Map.of(
          "hostname", TextChecks.text("a host name", FormatChecks::isHostname),
          "ip", TextChecks.text("an IP address", FormatChecks::isIp),
          "ipv4", TextChecks.text("an IPv4 address", FormatChecks::isIpv4),
          "ipv6", TextChecks.text("an IPv6 address", FormatChecks::isIpv6),
          "address",
              TextChecks.text(
                  "a host name or an IP address", text -> isHostname(text) || isIp(text)),
          "uri", TextChecks.text("a URI with a scheme", text -> isUri(text, true)),
          "uri_ref", TextChecks.text("a URI", text -> isUri(text, false)),
          "uuid", TextChecks.text("a UUID", UUID::matches));

  private FormatChecks() {}

  /** By the name of the rule; null if there is no such rule. */
  static @Nullable Check named(String rule) {
    return BY_NAME.get(rule);
  }

  /**
   * @param strict as HTTP has it; else only what would end the line is kept out, and none at all is
   *     as good
   */
  static Check headerName(boolean strict) {
    return strict
        ? TextChecks.text(
            "a header name: letters, digits and !#$%&'*+-.^_|~` only, possibly a \":\" first",
            NAME::matches)
        : TextChecks.text("a header name without line ends", ONE_LINE::matches);
  }

  /**
   * @param strict as HTTP has it; else only what would end the line is kept out
   */
  static Check headerValue(boolean strict) {
    return strict
        ? TextChecks.text("a header value without control characters", VALUE::matches)
        : TextChecks.text("a header value without line ends", ONE_LINE::matches);
  }

  private static boolean isHostname(String text) {
    String host = text.endsWith(".") ? text.substring(0, text.length() - 1) : text;
    if (host.length() > 253) {
      return false;
    }
    for (String label : host.split("\\.", -1)) {
      if (!LABEL.matches(label)) {
        return false;
      }
    }
    return true;
  }

  private static boolean isIp(String text) {
    return isIpv4(text) || isIpv6(text);
  }

  private static boolean isIpv4(String text) {
    return IPV4.matches(text) && !text.endsWith(".");
  }

  /** Eight groups, of which one "::" may stand for several; an IPv4 address counts for two. */
  private static boolean isIpv6(String text) {
    int gap = text.indexOf("::");
    if (gap < 0) {
      return groups(text) == 8;
    }
    if (text.indexOf("::", gap + 1) >= 0) {
      return false;
    }
    String before = text.substring(0, gap);
    String after = text.substring(gap + 2);
    if (before.contains(".")) {
      return false;
    }
    int left = before.isEmpty() ? 0 : groups(before);
    int right = after.isEmpty() ? 0 : groups(after);
    return left >= 0 && right >= 0 && left + right <= 7;
  }

  /** How many groups; negative if these are none. */
  private static int groups(String text) {
    String[] parts = text.split(":", -1);
    int count = 0;
    for (int i = 0; i < parts.length; i++) {
      if (HEX.matches(parts[i])) {
        count++;
      } else if (i == parts.length - 1 && isIpv4(parts[i])) {
        count += 2;
      } else {
        return -1;
      }
    }
    return count;
  }

  private static boolean isUri(String text, boolean absolute) {
    try {
      URI uri = new URI(text);
      return !absolute || uri.isAbsolute();
    } catch (URISyntaxException e) {
      return false;
    }
  }
}
