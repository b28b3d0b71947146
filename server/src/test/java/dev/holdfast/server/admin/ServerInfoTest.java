// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.server.admin;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import dev.holdfast.server.FakeReports;
import dev.holdfast.server.options.ListenAddress;
import dev.holdfast.server.options.ServeOptions;
import java.io.IOException;
import java.io.InputStream;
import java.net.URL;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What a server tells of itself. */
class ServerInfoTest {
  @Test
  void oneThatHasNothingButAVersionSaysSo() throws Exception {
    try (RunningAdmin admin = new RunningAdmin()) {
      assertThat(admin.get("/api/v1/server").body())
          .isEqualTo(
              "{'version':'1.2.3','ready':true,'source':null,'state':'','xds':null}"
                  .replace('\'', '"'));
      assertThat(admin.get("/api/v1/server?x=1").statusCode()).isEqualTo(400);
    }
  }

  @Test
  void theDirectoryIsToldAsItReallyIsAndTheXdsPortOnceItListens(@TempDir Path root)
      throws Exception {
    Path directory = Files.createDirectory(root.toRealPath().resolve("objects"));
    Path link = Files.createSymbolicLink(root.resolve("link"), directory);
    AtomicReference<@Nullable ListenAddress> xds = new AtomicReference<>();
    ServerInfo info = new ServerInfo("1", link, "state.db", xds::get, () -> SourceReport.NONE);
    try (AdminServer server =
        AdminServer.start(
            new ServeOptions.Admin(new ListenAddress("127.0.0.1", 0), ""),
            new FakeReports(),
            query -> List.of(),
            info)) {
      JsonObject source = ask(server).getAsJsonObject("source");
      assertThat(source.get("kind").getAsString()).isEqualTo("directory");
      assertThat(source.get("path").getAsString()).isEqualTo(directory.toString());
      assertThat(source.get("identity").getAsString())
          .isNotEmpty()
          .isEqualTo(ServerInfo.identity(directory))
          .isNotEqualTo(ServerInfo.identity(root));
      assertThat(ask(server).get("xds").isJsonNull()).isTrue();

      xds.set(new ListenAddress("127.0.0.1", 18000));
      assertThat(ask(server).get("xds").getAsString()).isEqualTo("127.0.0.1:18000");
    }
  }

  private static JsonObject ask(AdminServer server) throws IOException {
    URL url = new URL("http://" + server.address() + "/api/v1/server");
    try (InputStream in = url.openStream()) {
      return JsonParser.parseString(new String(in.readAllBytes(), StandardCharsets.UTF_8))
          .getAsJsonObject();
    }
  }
}
