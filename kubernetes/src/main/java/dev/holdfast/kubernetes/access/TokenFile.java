// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.kubernetes.access;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * A token in a file that somebody else replaces from time to time, as the kubelet does. It is read
 * for each request: requests are few, and a token that was kept would be refused one day.
 */
record TokenFile(Path file) implements ClusterAccess.Token {
  @Override
  public String get() throws IOException {
    try {
      return Files.readString(file).strip();
    } catch (IOException e) {
      throw new IOException("token file " + file + ": cannot be read: " + e.getMessage(), e);
    }
  }
}
