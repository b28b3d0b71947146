// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.server.admin;

import com.google.gson.stream.JsonWriter;
import dev.holdfast.server.options.ListenAddress;
import java.io.IOException;
import java.nio.file.Path;

/** The server itself, as docs/admin-api.md shows it. */
final class ServerJson {
  private ServerJson() {}

  static void write(JsonWriter json, ServerInfo info, boolean ready) throws IOException {
    json.beginObject();
    json.name("version").value(info.version());
    json.name("ready").value(ready);
    json.name("source");
    source(json, info);
    json.name("state").value(info.state());
    ListenAddress xds = info.xds().get();
    json.name("xds").value(xds == null ? null : xds.toString());
    json.endObject();
  }

  private static void source(JsonWriter json, ServerInfo info) throws IOException {
    Path directory = info.directory();
    if (directory == null) {
      json.nullValue();
      return;
    }
    json.beginObject();
    json.name("kind").value("directory");
    json.name("path").value(real(directory));
    json.name("identity").value(ServerInfo.identity(directory));
    json.endObject();
  }

  /** Callers have another working directory. */
  private static String real(Path directory) {
    try {
      return directory.toRealPath().toString();
    } catch (IOException e) { // gone meanwhile
      return directory.toAbsolutePath().normalize().toString();
    }
  }
}
