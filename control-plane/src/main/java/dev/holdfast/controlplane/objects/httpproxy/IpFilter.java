// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.controlplane.objects.httpproxy;

import dev.holdfast.controlplane.objects.read.EnumWord;
import dev.holdfast.controlplane.objects.read.Fields;
import dev.holdfast.controlplane.objects.read.TextRule;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** An allow or deny list of client addresses. */
public record IpFilter(Action action, List<Rule> rules) {
  private static final TextRule CIDR =
      TextRule.checked(
          "an IP address, or ADDRESS/PREFIX_LENGTH", text -> IpRange.parse(text) != null);

  /** What happens to matching clients. */
  public enum Action {
    ALLOW,
    DENY
  }

  /** Which address of a client is matched. */
  public enum Source implements EnumWord {
    /** The peer of the connection. */
    PEER("Peer"),
    /** The client, as reported by proxies in between. */
    REMOTE("Remote");

    private final String word;

    Source(String word) {
      this.word = word;
    }

    @Override
    public String word() {
      return word;
    }
  }

  /** A range of addresses. */
  public record Rule(Source source, IpRange range) {
    private static final IpRange NONE = new IpRange("0.0.0.0", 32);

    static Rule decode(Fields fields) {
      Source source = fields.requiredEnumValue("source", Source.PEER);
      IpRange range = IpRange.parse(fields.requiredText("cidr", CIDR));
      return new Rule(source, range == null ? NONE : range);
    }
  }

  /** Decodes the fields of a virtual host or route; null if there are none. */
  static @Nullable IpFilter decode(Fields parent) {
    List<Rule> allow = parent.groups("ipAllowPolicy", Rule::decode);
    List<Rule> deny = parent.groups("ipDenyPolicy", Rule::decode);
    if (!allow.isEmpty() && !deny.isEmpty()) {
      parent.invalid("ipDenyPolicy", "next to ipAllowPolicy (expected: one of them)");
    }
    if (!allow.isEmpty()) {
      return new IpFilter(Action.ALLOW, allow);
    }
    return deny.isEmpty() ? null : new IpFilter(Action.DENY, deny);
  }
}
