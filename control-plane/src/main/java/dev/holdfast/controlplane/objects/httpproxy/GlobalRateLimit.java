// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.controlplane.objects.httpproxy;

import dev.holdfast.controlplane.objects.read.Fields;
import dev.holdfast.controlplane.objects.read.TextRules;
import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;

/**
 * A limit that a service applies for all proxies together.
 *
 * @param disabled whether a route is exempt from the limits of its host
 * @param descriptors what the service is told of a request; each may exceed a limit
 */
public record GlobalRateLimit(boolean disabled, List<Descriptor> descriptors) {

  /** What the service is told together. */
  public record Descriptor(List<Entry> entries) {
    static Descriptor decode(Fields fields) {
      Descriptor descriptor = new Descriptor(fields.groups("entries", Entry::decode));
      if (descriptor.entries().isEmpty()) {
        fields.missing("entries", "none (expected: at least one)");
      }
      return descriptor;
    }
  }

  /** One thing that the service is told. */
  public sealed interface Entry permits GenericKey, RequestHeader, HeaderValueMatch, RemoteAddress {
    private static Entry decode(Fields fields) {
      List<Entry> given =
          Stream.<Entry>of(
                  fields.group("genericKey", GenericKey::decode),
                  fields.group("requestHeader", RequestHeader::decode),
                  fields.group("requestHeaderValueMatch", HeaderValueMatch::decode),
                  fields.group("remoteAddress", unused -> new RemoteAddress()))
              .filter(Objects::nonNull)
              .toList();
      if (given.size() != 1) {
        fields.invalid(
            (given.isEmpty() ? "nothing" : "more than one")
                + " (expected: exactly one of genericKey, requestHeader, requestHeaderValueMatch,"
                + " remoteAddress)");
      }
      return given.isEmpty() ? new RemoteAddress() : given.get(0);
    }
  }

  /** A text of the author's. */
  public record GenericKey(String key, String value) implements Entry {
    static GenericKey decode(Fields fields) {
      String key = fields.textOrEmpty("key", TextRules.ANY);
      return new GenericKey(
          key.isEmpty() ? "generic_key" : key, fields.requiredText("value", TextRules.NOT_EMPTY));
    }
  }

  /** The value of a header; a request without the header is not counted. */
  public record RequestHeader(String header, String key) implements Entry {
    static RequestHeader decode(Fields fields) {
      return new RequestHeader(
          fields.requiredText("headerName", TextRules.TOKEN_NAME),
          fields.requiredText("descriptorKey", TextRules.NOT_EMPTY));
    }
  }

  /**
   * A text of the author's, for requests whose headers match.
   *
   * @param expected whether they have to match, or must not
   */
  public record HeaderValueMatch(List<HeaderCondition> headers, boolean expected, String value)
      implements Entry {
    static HeaderValueMatch decode(Fields fields) {
      HeaderValueMatch match =
          new HeaderValueMatch(
              fields.groups("headers", HeaderCondition::decode),
              fields.flag("expectMatch", /* fallback= */ true),
              fields.requiredText("value", TextRules.NOT_EMPTY));
      if (match.headers().isEmpty()) {
        fields.missing("headers", "none (expected: at least one)");
      }
      return match;
    }
  }

  /** The address of the client. */
  public record RemoteAddress() implements Entry {}

  /** Decodes the policy of a host or route, or one for all hosts. */
  public static GlobalRateLimit decode(Fields fields) {
    GlobalRateLimit limit =
        new GlobalRateLimit(
            fields.flag("disabled"), fields.groups("descriptors", Descriptor::decode));
    if (limit.disabled() && !limit.descriptors().isEmpty()) {
      fields.invalid("descriptors", "set together with disabled (expected: only one of them)");
    } else if (!limit.disabled() && limit.descriptors().isEmpty()) {
      fields.missing("descriptors", "none (expected: at least one, or disabled: true)");
    }
    return limit;
  }
}
