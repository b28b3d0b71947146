// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.config.files;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.FileTime;
import org.jspecify.annotations.Nullable;

/**
 * What a file system says of a file without its content being read: tells most changes.
 *
 * @param modified when it was last written
 * @param size in bytes
 * @param identity of the file behind the name; null where the system has none
 */
record FileStamp(FileTime modified, long size, @Nullable Object identity) {
  static FileStamp of(Path file) throws IOException {
    BasicFileAttributes attributes = Files.readAttributes(file, BasicFileAttributes.class);
    return new FileStamp(attributes.lastModifiedTime(), attributes.size(), attributes.fileKey());
  }
}
