// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.controlplane.ads.access;

import static java.util.Objects.requireNonNull;

import dev.holdfast.base.NamePattern;
import java.util.List;

/**
 * What the clients with one identity may be and have.
 *
 * @param identity a URI SAN or DNS SAN of their certificates
 * @param role what they are
 * @param nodes the node ids that they may have; empty for any
 * @param groups the values of {@code holdfast_group} that they may have; empty for any
 * @param programs the programs that they may be, such as {@code envoy}; empty for any
 * @param vote whether what they accept and reject counts
 * @param secrets whether they get secrets
 */
public record AccessRule(
    NamePattern identity,
    Role role,
    List<NamePattern> nodes,
    List<NamePattern> groups,
    List<NamePattern> programs,
    boolean vote,
    boolean secrets) {

  /** What a client is. */
  public enum Role {
    /** Gets everything that proxies get. */
    PROXY,
    /** Gets what proxies get, tries everything first, and serves nobody. */
    SCOUT,
    /** A gRPC application: gets the hosts that it calls, by name, and never a secret. */
    APPLICATION,
    /** Asks what proxies run (CSDS), and gets no configuration. */
    OBSERVER
  }

  public AccessRule {
    requireNonNull(identity, "identity");
    requireNonNull(role, "role");
    nodes = List.copyOf(nodes);
    groups = List.copyOf(groups);
    programs = List.copyOf(programs);
  }
}
