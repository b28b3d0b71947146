// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.controlplane.ads.access;

import com.google.protobuf.Value;
import dev.holdfast.base.NamePattern;
import dev.holdfast.controlplane.snapshot.ResourceType;
import io.envoyproxy.envoy.config.core.v3.Node;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The rules for all clients: the first whose identity is one of a client's names counts. Without
 * rules, every client may do everything.
 */
public final class AccessPolicy {
  /** Without rules. */
  public static final AccessPolicy NONE = new AccessPolicy(List.of());

  private final List<AccessRule> rules;
  private final List<Access> accesses = new ArrayList<>();

  /** What clients have if there are no rules. */
  private final Access everybody;

  /** What scouts have if there are no rules. */
  private final Access everyScout;

  public AccessPolicy(List<AccessRule> rules) {
    this(rules, Access.FULL);
  }

  /** Without rules, and without secrets for anybody. */
  public static AccessPolicy withoutSecrets() {
    return new AccessPolicy(
        List.of(), new Access("", AccessRule.Role.PROXY, /* vote= */ true, /* secrets= */ false));
  }

  private AccessPolicy(List<AccessRule> rules, Access everybody) {
    this.everybody = everybody;
    this.everyScout =
        new Access(
            "", AccessRule.Role.SCOUT, /* vote= */ true, everybody.allows(ResourceType.SECRET));
    this.rules = List.copyOf(rules);
    for (AccessRule rule : this.rules) {
      accesses.add(new Access(rule.identity().text(), rule.role(), rule.vote(), rule.secrets()));
    }
  }

  /** Whether no client gets secrets. */
  public boolean withholdsSecrets() {
    return !everybody.allows(ResourceType.SECRET);
  }

  /** Whether there are rules. */
  public boolean isEnabled() {
    return !rules.isEmpty();
  }

  /**
   * What is decided about a client.
   *
   * @param access what it may have; null if it may not be what it says
   * @param refusal why not
   */
  public record Decision(@Nullable Access access, String refusal) {}

  /** Whether a client may be a node. */
  public Decision decide(ClientNames client, Node node) {
    if (rules.isEmpty()) {
      return new Decision(claimsToBeScout(node) ? everyScout : everybody, "");
    }
    for (int i = 0; i < rules.size(); i++) {
      AccessRule rule = rules.get(i);
      List<String> stars = stars(rule, client);
      if (stars != null) {
        String problem = problem(rule, stars, node);
        return problem == null
            ? new Decision(accesses.get(i), "")
            : refused(client + problem + " (identity " + rule.identity() + ")");
      }
    }
    return refused(client + " is none of the identities that may connect");
  }

  /** Whether a client may ask what all proxies run. */
  public boolean mayObserve(ClientNames client) {
    if (rules.isEmpty()) {
      return true;
    }
    for (AccessRule rule : rules) {
      if (stars(rule, client) != null) {
        return rule.role() == AccessRule.Role.OBSERVER;
      }
    }
    return false;
  }

  private static Decision refused(String text) {
    return new Decision(null, text);
  }

  private static @Nullable List<String> stars(AccessRule rule, ClientNames client) {
    for (String name : client.names()) {
      List<String> stars = rule.identity().match(name).orElse(null);
      if (stars != null) {
        return stars;
      }
    }
    return null;
  }

  private static @Nullable String problem(AccessRule rule, List<String> stars, Node node) {
    if (rule.role() == AccessRule.Role.OBSERVER) {
      return " may observe, and gets no configuration";
    }
    if (claimsToBeScout(node) && rule.role() != AccessRule.Role.SCOUT) {
      return " may not be a scout";
    }
    String group =
        node.getMetadata()
            .getFieldsOrDefault("holdfast_group", Value.getDefaultInstance())
            .getStringValue();
    if (!isOne(rule.nodes(), node.getId(), stars)) {
      return " may not be the node '" + node.getId() + "'";
    }
    if (!isOne(rule.groups(), group, stars)) {
      return " may not be in the group '" + group + "'";
    }
    return isOne(rule.programs(), node.getUserAgentName(), stars)
        ? null
        : " may not be the program '" + node.getUserAgentName() + "'";
  }

  /** Whether a node says that it serves nobody. */
  private static boolean claimsToBeScout(Node node) {
    return node.getMetadata()
        .getFieldsOrDefault("holdfast_role", Value.getDefaultInstance())
        .getStringValue()
        .equals("scout");
  }

  private static boolean isOne(List<NamePattern> patterns, String name, List<String> stars) {
    return patterns.isEmpty()
        || patterns.stream().anyMatch(pattern -> pattern.matches(name, stars));
  }
}
