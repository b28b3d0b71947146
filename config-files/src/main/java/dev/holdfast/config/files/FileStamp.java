// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.config.files;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.FileTime;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What a file system says of a file without its content being read: tells most changes.
 *
 * @param modified when it was last written
 * @param size in bytes
 * @param identity of the file behind the name; null where the system has none
 * @param moved when it was last written, renamed or given other permissions; null where the system
 *     does not tell
 */
record FileStamp(
    FileTime modified, long size, @Nullable Object identity, @Nullable FileTime moved) {
  static FileStamp of(Path file, LinkOption... options) throws IOException {
    try {
      Map<String, Object> found =
          Files.readAttributes(file, "unix:lastModifiedTime,size,fileKey,ctime", options);
      if (found.get("lastModifiedTime") instanceof FileTime modified
          && found.get("size") instanceof Long size
          && found.get("ctime") instanceof FileTime moved) {
        return new FileStamp(modified, size, found.get("fileKey"), moved);
      }
    } catch (UnsupportedOperationException | IllegalArgumentException e) {
      // another system
    }
    BasicFileAttributes basic = Files.readAttributes(file, BasicFileAttributes.class, options);
    return new FileStamp(basic.lastModifiedTime(), basic.size(), basic.fileKey(), null);
  }

  /**
   * Whether the file was put in place as a whole: it took the place of another file, or was moved
   * after it was written. A file that is written where it stands does neither.
   */
  boolean isPutInPlace(@Nullable FileStamp before) {
    boolean isAnother = before != null && identity != null && !identity.equals(before.identity);
    return isAnother || (moved != null && moved.compareTo(modified) > 0);
  }
}
