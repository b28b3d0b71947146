// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.base;

import static java.util.Objects.requireNonNull;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Iterator;
import java.util.Map;
import java.util.NoSuchElementException;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;

/**
 * A sorted map that never changes: a change gives another map that shares all but the path to the
 * place of the change. So any number of versions can be kept, handed between threads and compared,
 * at the cost of what is different between them.
 *
 * <p>A treap whose priorities are hashes of the keys. Maps with the same keys have the same shape
 * whichever way they came about, and {@link #diff} skips what two of them share.
 */
public final class PersistentMap<K extends Comparable<? super K>, V>
    implements Iterable<Map.Entry<K, V>> {
  private static final PersistentMap<?, ?> EMPTY = new PersistentMap<>(null);

  private final @Nullable Node<K, V> root;

  private PersistentMap(@Nullable Node<K, V> root) {
    this.root = root;
  }

  /** The map of nothing. */
  @SuppressWarnings("unchecked") // holds neither keys nor values
  public static <K extends Comparable<? super K>, V> PersistentMap<K, V> empty() {
    return (PersistentMap<K, V>) EMPTY;
  }

  /** The entries of another map. */
  public static <K extends Comparable<? super K>, V> PersistentMap<K, V> copyOf(
      Map<? extends K, ? extends V> map) {
    PersistentMap<K, V> copy = empty();
    for (Map.Entry<? extends K, ? extends V> entry : map.entrySet()) {
      copy = copy.with(entry.getKey(), entry.getValue());
    }
    return copy;
  }

  public int size() {
    return root == null ? 0 : root.size;
  }

  public boolean isEmpty() {
    return root == null;
  }

  /** The value of a key; null if the key is not there. */
  public @Nullable V get(K key) {
    Node<K, V> node = root;
    while (node != null) {
      int order = key.compareTo(node.key);
      if (order == 0) {
        return node.value;
      }
      node = order < 0 ? node.left : node.right;
    }
    return null;
  }

  public boolean containsKey(K key) {
    return get(key) != null;
  }

  /** The same map with a value for a key; the very same if it has that value already. */
  public PersistentMap<K, V> with(K key, V value) {
    requireNonNull(key, "key");
    requireNonNull(value, "value");
    Node<K, V> changed = Node.with(root, key, value);
    return changed == root ? this : new PersistentMap<>(changed);
  }

  /** The same map without a key; the very same if it never had it. */
  public PersistentMap<K, V> without(K key) {
    Node<K, V> changed = Node.without(root, key);
    return changed == root ? this : changed == null ? empty() : new PersistentMap<>(changed);
  }

  /** Hands over the entries by ascending key. */
  public void forEach(BiConsumer<? super K, ? super V> action) {
    Node.forEach(root, action);
  }

  /** The entries by ascending key. */
  @Override
  public Iterator<Map.Entry<K, V>> iterator() {
    return new InOrder<>(root);
  }

  /** Whether another map has equal entries. */
  public boolean sameAs(PersistentMap<?, ?> other) {
    if (size() != other.size()) {
      return false;
    }
    Iterator<?> theirs = other.iterator();
    for (Map.Entry<K, V> entry : this) {
      if (!entry.equals(theirs.next())) {
        return false;
      }
    }
    return true;
  }

  /** What is different between two maps, by ascending key. */
  public static <K extends Comparable<? super K>, V> void diff(
      PersistentMap<K, V> before, PersistentMap<K, V> after, Difference<K, V> difference) {
    Node.diff(before.root, after.root, difference);
  }

  /** Is told what is different between two maps. */
  @FunctionalInterface
  public interface Difference<K, V> {
    /** A key whose values are not equal; a value is null in a map that lacks the key. */
    void at(K key, @Nullable V before, @Nullable V after);
  }

  /** The entries as a string, for people. */
  @Override
  public String toString() {
    StringBuilder text = new StringBuilder("{");
    forEach((key, value) -> text.append(text.length() > 1 ? ", " : "").append(key + "=" + value));
    return text.append('}').toString();
  }

  private static final class InOrder<K extends Comparable<? super K>, V>
      implements Iterator<Map.Entry<K, V>> {
    private final Deque<Node<K, V>> path = new ArrayDeque<>();

    InOrder(@Nullable Node<K, V> root) {
      descend(root);
    }

    private void descend(@Nullable Node<K, V> node) {
      for (Node<K, V> next = node; next != null; next = next.left) {
        path.push(next);
      }
    }

    @Override
    public boolean hasNext() {
      return !path.isEmpty();
    }

    @Override
    public Map.Entry<K, V> next() {
      if (path.isEmpty()) {
        throw new NoSuchElementException();
      }
      Node<K, V> node = path.pop();
      descend(node.right);
      return Map.entry(node.key, node.value);
    }
  }

  private static final class Node<K extends Comparable<? super K>, V> {
    final K key;
    final V value;
    final int priority;
    final int size;
    final @Nullable Node<K, V> left;
    final @Nullable Node<K, V> right;

    Node(K key, V value, int priority, @Nullable Node<K, V> left, @Nullable Node<K, V> right) {
      this.key = key;
      this.value = value;
      this.priority = priority;
      this.left = left;
      this.right = right;
      this.size = 1 + (left == null ? 0 : left.size) + (right == null ? 0 : right.size);
    }

    /** Spreads the bits: hash codes of names that differ in one digit are neighbours. */
    static int priority(Object key) {
      int hash = key.hashCode() * 0x9E3779B9;
      hash = (hash ^ (hash >>> 16)) * 0x85EBCA6B;
      return hash ^ (hash >>> 13);
    }

    /** Whether a key belongs above a node; keys of equal priority stand by order. */
    private static <K extends Comparable<? super K>> boolean above(
        K key, int priority, Node<K, ?> node) {
      return priority > node.priority || (priority == node.priority && key.compareTo(node.key) < 0);
    }

    Node<K, V> around(@Nullable Node<K, V> newLeft, @Nullable Node<K, V> newRight) {
      return newLeft == left && newRight == right
          ? this
          : new Node<>(key, value, priority, newLeft, newRight);
    }

    static <K extends Comparable<? super K>, V> Node<K, V> with(
        @Nullable Node<K, V> node, K key, V value) {
      int priority = priority(key);
      return with(node, key, value, priority);
    }

    private static <K extends Comparable<? super K>, V> Node<K, V> with(
        @Nullable Node<K, V> node, K key, V value, int priority) {
      if (node == null) {
        return new Node<>(key, value, priority, null, null);
      }
      int order = key.compareTo(node.key);
      if (order == 0) {
        return value.equals(node.value)
            ? node
            : new Node<>(node.key, value, node.priority, node.left, node.right);
      }
      if (above(key, priority, node)) {
        Split<K, V> split = Split.of(node, key);
        return new Node<>(key, value, priority, split.left, split.right);
      }
      return order < 0
          ? node.around(with(node.left, key, value, priority), node.right)
          : node.around(node.left, with(node.right, key, value, priority));
    }

    static <K extends Comparable<? super K>, V> @Nullable Node<K, V> without(
        @Nullable Node<K, V> node, K key) {
      if (node == null) {
        return null;
      }
      int order = key.compareTo(node.key);
      if (order == 0) {
        return join(node.left, node.right);
      }
      return order < 0
          ? node.around(without(node.left, key), node.right)
          : node.around(node.left, without(node.right, key));
    }

    private static <K extends Comparable<? super K>, V> @Nullable Node<K, V> join(
        @Nullable Node<K, V> left, @Nullable Node<K, V> right) {
      if (left == null || right == null) {
        return left == null ? right : left;
      }
      return above(left.key, left.priority, right)
          ? left.around(left.left, join(left.right, right))
          : right.around(join(left, right.left), right.right);
    }

    static <K extends Comparable<? super K>, V> void forEach(
        @Nullable Node<K, V> node, BiConsumer<? super K, ? super V> action) {
      if (node != null) {
        forEach(node.left, action);
        action.accept(node.key, node.value);
        forEach(node.right, action);
      }
    }

    static <K extends Comparable<? super K>, V> void diff(
        @Nullable Node<K, V> before, @Nullable Node<K, V> after, Difference<K, V> difference) {
      if (before == after) {
        return;
      }
      if (before == null) {
        forEach(after, (key, value) -> difference.at(key, null, value));
      } else if (after == null) {
        forEach(before, (key, value) -> difference.at(key, value, null));
      } else if (above(after.key, after.priority, before)) {
        Split<K, V> split = Split.of(before, after.key);
        diff(split.left, after.left, difference);
        difference.at(after.key, null, after.value);
        diff(split.right, after.right, difference);
      } else {
        Split<K, V> split = Split.of(after, before.key);
        diff(before.left, split.left, difference);
        if (!before.value.equals(split.value)) {
          difference.at(before.key, before.value, split.value);
        }
        diff(before.right, split.right, difference);
      }
    }
  }

  /** What stands before a key, at it, and after it. */
  private static final class Split<K extends Comparable<? super K>, V> {
    final @Nullable Node<K, V> left;
    final @Nullable V value;
    final @Nullable Node<K, V> right;

    private Split(@Nullable Node<K, V> left, @Nullable V value, @Nullable Node<K, V> right) {
      this.left = left;
      this.value = value;
      this.right = right;
    }

    static <K extends Comparable<? super K>, V> Split<K, V> of(@Nullable Node<K, V> node, K key) {
      if (node == null) {
        return new Split<>(null, null, null);
      }
      int order = key.compareTo(node.key);
      if (order == 0) {
        return new Split<>(node.left, node.value, node.right);
      }
      if (order < 0) {
        Split<K, V> split = of(node.left, key);
        return new Split<>(split.left, split.value, node.around(split.right, node.right));
      }
      Split<K, V> split = of(node.right, key);
      return new Split<>(node.around(node.left, split.left), split.value, split.right);
    }
  }
}
