// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.grpc.config;

import io.grpc.StatusOr;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Flattens aggregate clusters (gRFC A37, A75): the clusters with endpoints under one, in the order
 * of a depth-first walk, each at its first place.
 *
 * <p>A cluster that is under itself has an error of its own, since no order of its parts is right;
 * clusters above it do without it. A cluster that cannot be fetched keeps its place, so that calls
 * fail over from it and say why if nothing else is left.
 */
final class AggregateWalk {
  /** The clusters from an aggregate down to one with endpoints, both counted. */
  static final int MAX_DEPTH = 16;

  private final Map<String, ClusterNode> nodes;
  private final ErrorTexts texts;
  private final Map<String, Boolean> cyclic = new HashMap<>();

  AggregateWalk(Map<String, ClusterNode> nodes, ErrorTexts texts) {
    this.nodes = nodes;
    this.texts = texts;
  }

  /**
   * What is under one cluster.
   *
   * @param whole whether every cluster that was met is answered
   * @param leaves null unless it is an aggregate
   */
  record Tree(boolean whole, @Nullable StatusOr<List<String>> leaves) {
    private static final Tree UNKNOWN = new Tree(false, null);
    private static final Tree LEAF = new Tree(true, null);
  }

  Tree from(String root) {
    ClusterNode node = nodes.get(root);
    if (node == null || !node.answered()) {
      return Tree.UNKNOWN;
    }
    if (!node.isAggregate()) {
      return Tree.LEAF;
    }
    if (isCyclic(root)) {
      return failure("aggregate cluster " + root + " contains itself (expected: no cycles)");
    }
    Walk walk = new Walk();
    walk.visit(root, 1);
    if (walk.tooDeep) {
      return failure(
          "aggregate cluster "
              + root
              + ": nested too deeply (expected: at most "
              + MAX_DEPTH
              + " levels)");
    }
    if (!walk.whole) {
      return Tree.UNKNOWN;
    }
    if (walk.leaves.isEmpty()) {
      return failure(
          "aggregate cluster " + root + ": no clusters with endpoints under it (expected: one)");
    }
    return new Tree(true, StatusOr.fromValue(new ArrayList<>(walk.leaves)));
  }

  private Tree failure(String text) {
    return new Tree(true, StatusOr.fromStatus(texts.unavailable(text)));
  }

  /** Whether a cluster is under itself, as far as is known. */
  private boolean isCyclic(String name) {
    Boolean known = cyclic.get(name);
    if (known == null) {
      Set<String> seen = new HashSet<>();
      List<String> open = new ArrayList<>(children(name));
      while (!open.isEmpty()) {
        String next = open.remove(open.size() - 1);
        if (seen.add(next)) {
          open.addAll(children(next));
        }
      }
      known = seen.contains(name);
      cyclic.put(name, known);
    }
    return known;
  }

  private List<String> children(String name) {
    ClusterNode node = nodes.get(name);
    return node == null ? List.of() : node.children();
  }

  private final class Walk {
    final Set<String> seen = new HashSet<>();
    final Set<String> leaves = new LinkedHashSet<>();
    boolean whole = true;
    boolean tooDeep;

    void visit(String name, int depth) {
      if (depth > MAX_DEPTH) {
        tooDeep = true;
        return;
      }
      ClusterNode node = nodes.get(name);
      if (!seen.add(name) || node == null || !node.answered()) {
        whole &= node != null && node.answered();
        return;
      }
      if (!node.isAggregate()) {
        leaves.add(name);
        return;
      }
      if (!isCyclic(name)) {
        node.children().forEach(child -> visit(child, depth + 1));
      }
    }
  }
}
