// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.config;

/**
 * One value of a document, with its place. Immutable. A value that a document names and repeats (a
 * YAML alias) is one instance that is seen in several places; its position is where it was written.
 */
public sealed interface Value permits Mapping, Sequence, Scalar {
  /** Where it starts. */
  Position position();
}
