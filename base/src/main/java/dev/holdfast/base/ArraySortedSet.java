// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.base;

import java.util.AbstractSet;
import java.util.Arrays;
import java.util.Comparator;
import java.util.Iterator;
import java.util.NoSuchElementException;
import java.util.SortedSet;
import org.jspecify.annotations.Nullable;

/** A sorted set that never changes, in an array. */
@SuppressWarnings("JdkObsolete") // nobody navigates, which would take as many methods again
final class ArraySortedSet<E extends Comparable<? super E>> extends AbstractSet<E>
    implements SortedSet<E> {
  private final Object[] elements;

  private ArraySortedSet(Object[] elements) {
    this.elements = elements;
  }

  static <E extends Comparable<? super E>> SortedSet<E> copyOf(SortedSet<E> set) {
    return set instanceof ArraySortedSet ? set : over(set.toArray());
  }

  /** The set of these elements, which are sorted, different, and never change. */
  static <E extends Comparable<? super E>> SortedSet<E> over(Object[] elements) {
    return new ArraySortedSet<>(elements);
  }

  @SuppressWarnings("unchecked") // it came in as one
  private E element(int i) {
    return (E) elements[i];
  }

  @Override
  public int size() {
    return elements.length;
  }

  @Override
  public boolean contains(@Nullable Object element) {
    return SortedKeys.find(elements, element) >= 0;
  }

  @Override
  public Iterator<E> iterator() {
    return new Iterator<>() {
      private int next;

      @Override
      public boolean hasNext() {
        return next < elements.length;
      }

      @Override
      public E next() {
        if (!hasNext()) {
          throw new NoSuchElementException();
        }
        return element(next++);
      }
    };
  }

  @Override
  public Object[] toArray() {
    return Arrays.copyOf(elements, elements.length, Object[].class);
  }

  @Override
  public @Nullable Comparator<? super E> comparator() {
    return null;
  }

  @Override
  public E first() {
    return edge(0);
  }

  @Override
  public E last() {
    return edge(elements.length - 1);
  }

  private E edge(int i) {
    if (elements.length == 0) {
      throw new NoSuchElementException();
    }
    return element(i);
  }

  @Override
  public SortedSet<E> subSet(E from, E to) {
    if (from.compareTo(to) > 0) {
      throw new IllegalArgumentException("from: " + from + " (expected: at most " + to + ")");
    }
    return range(SortedKeys.before(elements, from), SortedKeys.before(elements, to));
  }

  @Override
  public SortedSet<E> headSet(E to) {
    return range(0, SortedKeys.before(elements, to));
  }

  @Override
  public SortedSet<E> tailSet(E from) {
    return range(SortedKeys.before(elements, from), elements.length);
  }

  private SortedSet<E> range(int from, int to) {
    return over(Arrays.copyOfRange(elements, from, to));
  }
}
