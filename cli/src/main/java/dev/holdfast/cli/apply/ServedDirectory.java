// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.cli.apply;

import com.google.gson.JsonObject;
import dev.holdfast.cli.CommandException;
import dev.holdfast.cli.client.AdminClient;
import dev.holdfast.cli.client.JsonFields;
import dev.holdfast.server.admin.ServerInfo;
import java.nio.file.Files;
import java.nio.file.Path;

/** The directory whose objects a server serves, if this machine has it. */
final class ServedDirectory {
  private ServedDirectory() {}

  /**
   * @throws CommandException if the server has none, or it is out of reach
   */
  static Path of(AdminClient client) {
    JsonObject server = client.find("/api/v1/server").orElseGet(JsonObject::new);
    JsonObject source = JsonFields.object(server, "source");
    String path = JsonFields.text(source, "path");
    if (!JsonFields.text(source, "kind").equals("directory") || path.isEmpty()) {
      throw new CommandException(
          "the server does not serve a directory (expected: --to DIRECTORY, or for one in a cluster"
              + " --server kubernetes:NAMESPACE/NAME)");
    }
    Path directory = Path.of(path);
    String identity = JsonFields.text(source, "identity");
    boolean same = identity.isEmpty() || identity.equals(ServerInfo.identity(directory));
    if (!Files.isDirectory(directory) || !same) {
      throw new CommandException(
          "the server serves "
              + directory
              + " on another machine (run this command there, or use --to DIRECTORY if that directory"
              + " is mounted here)");
    }
    return directory;
  }
}
