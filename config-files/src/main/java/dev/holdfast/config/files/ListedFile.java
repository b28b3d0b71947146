// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.config.files;

import java.io.IOException;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/**
 * A file of a tree.
 *
 * @param path where it is
 * @param refusal why it is not opened; null if it may be
 */
record ListedFile(Path path, @Nullable String refusal) {
  /** What the file system says of it now; null if it says nothing, and reading will tell why. */
  @Nullable FileStamp stamp() {
    try {
      return refusal == null
          ? FileStamp.of(path)
          : FileStamp.of(path, LinkOption.NOFOLLOW_LINKS); // not even a look at what it leads to
    } catch (IOException e) {
      return null;
    }
  }
}
