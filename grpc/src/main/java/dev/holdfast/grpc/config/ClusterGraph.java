// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.grpc.config;

import dev.holdfast.base.PersistentMap;
import dev.holdfast.grpc.config.AggregateWalk.Tree;
import io.grpc.StatusOr;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * The clusters that are watched, and what calls are told of them. Only used from the loop.
 *
 * <p>A change of what one cluster looks like costs the update of one entry. What is under a
 * cluster, and whether all of it is answered, is worked out for all clusters together, when either
 * changes. While it is not known of a cluster that was shown before, what was shown stays.
 */
final class ClusterGraph implements ClusterNode.Owner {
  private final Dependencies dependencies;
  private final Runnable onChange;

  private final Map<String, ClusterNode> nodes = new TreeMap<>();
  private final Set<ClusterNode> changed = new LinkedHashSet<>();
  private boolean shapeChanged;
  private List<AmbientError> common = List.of();

  /** The clusters that are shown as they are now, with what is under the aggregate ones. */
  private final Map<String, Tree> current = new HashMap<>();

  private PersistentMap<String, StatusOr<ClusterConfig>> shown = PersistentMap.empty();

  /**
   * @param onChange runs when {@link #update} or {@link #reshape} should
   */
  ClusterGraph(Dependencies dependencies, Runnable onChange) {
    this.dependencies = dependencies;
    this.onChange = onChange;
  }

  @Override
  public void contentChanged(ClusterNode node) {
    changed.add(node);
    onChange.run();
  }

  @Override
  public void shapeChanged() {
    shapeChanged = true;
    onChange.run();
  }

  /** Says what is amiss with the resources that all clusters depend on; changes the shape. */
  void common(List<AmbientError> ambient) {
    common = List.copyOf(ambient);
    shapeChanged();
  }

  /** Watches clusters, and whatever is under them, from now on. */
  void watch(Collection<String> names) {
    descend(names, name -> nodes.computeIfAbsent(name, this::open));
  }

  /** Visits clusters and what is under them, level by level and no deeper than is allowed. */
  private static void descend(
      Collection<String> names, Function<String, @Nullable ClusterNode> visitor) {
    Set<String> seen = new HashSet<>();
    Set<String> level = new TreeSet<>(names);
    for (int depth = 1; depth <= AggregateWalk.MAX_DEPTH && !level.isEmpty(); depth++) {
      Set<String> below = new TreeSet<>();
      for (String name : level) {
        ClusterNode node = seen.add(name) ? visitor.apply(name) : null;
        if (node != null) {
          below.addAll(node.children());
        }
      }
      level = below;
    }
  }

  private ClusterNode open(String name) {
    return new ClusterNode(name, dependencies, this);
  }

  /** Whether all of these are answered, and whatever is under them. */
  boolean whole(Collection<String> names) {
    AggregateWalk walk = new AggregateWalk(nodes, dependencies.texts());
    return names.stream().allMatch(name -> walk.from(name).whole());
  }

  /** Whether it has to be asked anew what is under clusters and whether it is answered. */
  boolean hasNewShape() {
    return shapeChanged;
  }

  /** What calls are told, brought up to date; the very same map if nothing changed. */
  PersistentMap<String, StatusOr<ClusterConfig>> update() {
    for (ClusterNode node : changed) {
      Tree tree = current.get(node.name());
      if (tree != null && nodes.get(node.name()) == node) {
        shown = shown.with(node.name(), node.config(common, tree.leaves()));
      }
    }
    changed.clear();
    return shown;
  }

  /** The same after the shape changed. */
  PersistentMap<String, StatusOr<ClusterConfig>> reshape(SortedSet<String> roots) {
    show(roots);
    shapeChanged = false;
    changed.clear();
    return shown;
  }

  private void show(SortedSet<String> roots) {
    AggregateWalk walk = new AggregateWalk(nodes, dependencies.texts());
    Set<String> keep = new HashSet<>();
    current.clear();
    for (String root : roots) {
      Tree tree = walk.from(root);
      if (tree.whole()) {
        show(root, tree, keep);
        showLeaves(leaves(tree), walk, keep);
      } else if (shown.get(root) != null) {
        keep.add(root);
        showLeaves(leaves(shown.get(root)), walk, keep);
      }
    }
    for (Map.Entry<String, ?> entry : shown) {
      if (!keep.contains(entry.getKey())) {
        shown = shown.without(entry.getKey());
      }
    }
  }

  private void show(String name, Tree tree, Set<String> keep) {
    ClusterNode node = nodes.get(name);
    if (node != null && !current.containsKey(name)) {
      keep.add(name);
      current.put(name, tree);
      shown = shown.with(name, node.config(common, tree.leaves()));
    }
  }

  private void showLeaves(List<String> names, AggregateWalk walk, Set<String> keep) {
    for (String name : names) {
      Tree tree = walk.from(name);
      if (tree.whole() && tree.leaves() == null) {
        show(name, tree, keep);
      } else {
        keep.add(name); // as it was shown last
      }
    }
  }

  private static List<String> leaves(Tree tree) {
    return tree.leaves() != null && tree.leaves().hasValue() ? tree.leaves().getValue() : List.of();
  }

  private static List<String> leaves(@Nullable StatusOr<ClusterConfig> config) {
    return config != null
            && config.hasValue()
            && config.getValue().members() instanceof ClusterConfig.Aggregate aggregate
        ? aggregate.leaves()
        : List.of();
  }

  /** Stops watching whatever is neither under one of these nor shown. */
  void forget(Collection<String> roots) {
    Set<String> needed = new HashSet<>();
    shown.forEach((name, config) -> needed.add(name));
    descend(
        roots,
        name -> {
          needed.add(name);
          return nodes.get(name);
        });
    nodes
        .values()
        .removeIf(
            node -> {
              boolean gone = !needed.contains(node.name());
              if (gone) {
                node.close();
                changed.remove(node);
              }
              return gone;
            });
  }

  void refresh() {
    nodes.values().forEach(ClusterNode::refresh);
  }

  void close() {
    nodes.values().forEach(ClusterNode::close);
    nodes.clear();
  }
}
