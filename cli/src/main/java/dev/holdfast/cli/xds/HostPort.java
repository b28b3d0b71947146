// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.cli.xds;

import java.util.regex.Matcher;
import java.util.regex.Pattern;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/** The address of a server. An IPv6 address is written in brackets. */
record HostPort(String host, int port) {
  private static final Pattern SYNTAX =
      Pattern.compile("(\\[[0-9A-Fa-f:.%a-z]+]|[^\\s:/\\[\\]]+):([0-9]{1,5})");

  /**
   * @throws IllegalArgumentException with a message for the user
   */
  static HostPort parse(String text) {
    Matcher matcher = SYNTAX.matcher(text);
    if (!matcher.matches()) {
      throw new IllegalArgumentException("'" + text + "' (expected: HOST:PORT)");
    }
    int port = Integer.parseInt(matcher.group(2));
    if (port < 1 || port > 65535) {
      throw new IllegalArgumentException("'" + text + "' (expected: a port from 1 to 65535)");
    }
    return new HostPort(matcher.group(1), port);
  }

  @Override
  public String toString() {
    return host + ":" + port;
  }

  /** For options and parameters. */
  static final class Converter implements ITypeConverter<HostPort> {
    @Override
    public HostPort convert(String value) {
      try {
        return parse(value);
      } catch (IllegalArgumentException e) {
        throw new TypeConversionException(String.valueOf(e.getMessage()));
      }
    }
  }
}
