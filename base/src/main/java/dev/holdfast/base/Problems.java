// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.base;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Collects problems at a position in a message. Decoders pass {@code problems.at("field")} down, so
 * that a sub-decoder need not know where its message stands. All positions of one message share one
 * list: problems come out in the order in which they were found, which is the order of the
 * decoder's code and thus stable.
 *
 * <p>A position is only a link to the one above it; its path is spelled out when there is a problem
 * to report, which is rare.
 *
 * <p>Not thread-safe; lives for one decoding.
 */
public final class Problems {
  private static final int NO_INDEX = -1;

  private final List<Problem> found;
  private final @Nullable Problems parent;
  private final String field;

  private final int index;

  /** A collector that stands at the root of a message. */
  public Problems() {
    this(new ArrayList<>(), null, "", NO_INDEX);
  }

  private Problems(List<Problem> found, @Nullable Problems parent, String field, int index) {
    this.found = found;
    this.parent = parent;
    this.field = field;
    this.index = index;
  }

  /** The same collector, one field deeper. */
  public Problems at(String field) {
    return new Problems(found, this, field, NO_INDEX);
  }

  /** The same collector at an element of a repeated field. */
  public Problems at(String field, int index) {
    return new Problems(found, this, field, index);
  }

  /** The same collector at a value of a map field. */
  public Problems at(String field, String key) {
    return new Problems(found, this, field + "[\"" + key + "\"]", NO_INDEX);
  }

  private String path() {
    StringBuilder path = new StringBuilder();
    append(path);
    return path.toString();
  }

  private void append(StringBuilder path) {
    if (parent == null) {
      return;
    }
    parent.append(path);
    if (path.length() > 0) {
      path.append('.');
    }
    path.append(field);
    if (index != NO_INDEX) {
      path.append('[').append(index).append(']');
    }
  }

  /** A field that must be set is not. */
  public void required(String message) {
    add(Problem.Kind.REQUIRED, message);
  }

  /** A value is outside of what is allowed. */
  public void invalid(String message) {
    add(Problem.Kind.INVALID, message);
  }

  /** A value asks for something that this client cannot do. */
  public void unsupported(String message) {
    add(Problem.Kind.UNSUPPORTED, message);
  }

  /** Bytes that are not what they should be. */
  public void undecodable(String message) {
    add(Problem.Kind.UNDECODABLE, message);
  }

  private void add(Problem.Kind kind, String message) {
    found.add(new Problem(path(), kind, message));
  }

  /** Whether anything at all was found, at any position of the message. */
  public boolean any() {
    return !found.isEmpty();
  }

  /**
   * How many were found so far, at any position: lets a decoder ask whether a sub-decoder failed.
   */
  public int count() {
    return found.size();
  }

  /** Everything found so far, in order. */
  public List<Problem> list() {
    return List.copyOf(found);
  }

  /** All problems as one line of text. */
  public static String describe(List<Problem> problems) {
    return problems.stream().map(Problem::toString).collect(Collectors.joining("; "));
  }
}
