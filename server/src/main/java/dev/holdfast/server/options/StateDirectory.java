// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.server.options;

import java.io.IOException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermissions;

/** Creates the directory of the state file, readable by its owner only. */
public final class StateDirectory {
  private StateDirectory() {}

  /**
   * @throws StartException if it cannot be made
   */
  public static void make(Path state) throws StartException {
    Path parent = state.toAbsolutePath().getParent();
    if (parent == null || Files.isDirectory(parent)) {
      return;
    }
    try {
      Files.createDirectories(parent, ownerOnly());
    } catch (FileAlreadyExistsException e) {
      throw cannot(parent, e.getFile() + " is not a directory", e);
    } catch (IOException e) {
      throw cannot(parent, String.valueOf(e.getMessage()), e);
    }
  }

  private static FileAttribute<?>[] ownerOnly() {
    return FileSystems.getDefault().supportedFileAttributeViews().contains("posix")
        ? new FileAttribute<?>[] {
          PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------"))
        }
        : new FileAttribute<?>[0];
  }

  private static StartException cannot(Path parent, String reason, IOException e) {
    return new StartException(
        "state: cannot create directory "
            + parent
            + ": "
            + reason
            + " (use --state PATH for another location)",
        e);
  }
}
