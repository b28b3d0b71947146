// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.config.files;

import dev.holdfast.config.ObjectKey;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/** Which objects may stand in which files of a tree. */
public interface Placement {
  /** Every object anywhere. */
  Placement ANYWHERE = (file, key) -> null;

  /**
   * Why an object may not stand in a file, and what may be done; null if it may.
   *
   * @param file its path in the tree
   */
  @Nullable String problem(Path file, ObjectKey key);
}
