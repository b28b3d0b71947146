// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.controlplane.objects.httpproxy;

import dev.holdfast.controlplane.objects.read.Fields;
import dev.holdfast.controlplane.objects.read.TextRules;
import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;

/**
 * A part of a request that decides about its endpoint.
 *
 * @param name of the header or query parameter; empty for the address of the client
 * @param terminal whether the policies after it do not count if the request has this part
 */
public record RequestHash(Source source, String name, boolean terminal) {
  /** What is hashed. */
  public enum Source {
    HEADER,
    QUERY_PARAMETER,
    SOURCE_IP
  }

  static RequestHash decode(Fields fields) {
    String header =
        fields.group(
            "headerHashOptions",
            options -> options.requiredText("headerName", TextRules.TOKEN_NAME));
    String parameter =
        fields.group(
            "queryParameterHashOptions",
            options -> options.requiredText("parameterName", TextRules.NOT_EMPTY));
    boolean sourceIp = fields.flag("hashSourceIP");
    boolean terminal = fields.flag("terminal");
    List<String> given =
        Stream.of("headerHashOptions", "queryParameterHashOptions", "hashSourceIP")
            .filter(name -> name.equals("hashSourceIP") ? sourceIp : fields.has(name))
            .toList();
    if (given.size() != 1) {
      fields.invalid(
          (given.isEmpty() ? "nothing" : String.join(" and ", given))
              + " (expected: exactly one of headerHashOptions, queryParameterHashOptions,"
              + " hashSourceIP)");
    }
    if (header != null) {
      return new RequestHash(Source.HEADER, header.toLowerCase(Locale.ROOT), terminal);
    }
    return parameter == null
        ? new RequestHash(Source.SOURCE_IP, "", terminal)
        : new RequestHash(Source.QUERY_PARAMETER, parameter, terminal);
  }
}
