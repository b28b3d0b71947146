// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.cli.apply;

import com.google.gson.JsonObject;
import dev.holdfast.cli.Failure;
import dev.holdfast.cli.client.AdminClient;
import dev.holdfast.cli.client.Items;
import dev.holdfast.server.admin.ServerInfo;
import java.nio.file.Files;
import java.nio.file.Path;

/** The directory whose objects a server serves, if this machine has it. */
final class ServedDirectory {
  private ServedDirectory() {}

  /**
   * @throws Failure if the server has none, or it is out of reach
   */
  static Path of(AdminClient client) {
    JsonObject server = client.find("/api/v1/server").orElseGet(JsonObject::new);
    JsonObject source = Items.object(server, "source");
    String path = Items.text(source, "path");
    if (!Items.text(source, "kind").equals("directory") || path.isEmpty()) {
      throw new Failure(
          "the server does not say which directory it serves (expected: --to DIRECTORY)");
    }
    Path directory = Path.of(path);
    String identity = Items.text(source, "identity");
    boolean same = identity.isEmpty() || identity.equals(ServerInfo.identity(directory));
    if (!Files.isDirectory(directory) || !same) {
      throw new Failure(
          "the server serves "
              + directory
              + " of another machine (expected: to be run where the server runs; or --to DIRECTORY,"
              + " if that directory is mounted here)");
    }
    return directory;
  }
}
