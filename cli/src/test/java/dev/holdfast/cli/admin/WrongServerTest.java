// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.cli.admin;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpServer;
import dev.holdfast.cli.CapturedOutput;
import io.grpc.Grpc;
import io.grpc.InsecureServerCredentials;
import io.grpc.Server;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A --server that leads somewhere else. */
class WrongServerTest {
  private final CapturedOutput captured = new CapturedOutput();

  @Test
  void theXdsPortIsTold() throws IOException {
    Server xds =
        Grpc.newServerBuilderForPort(0, InsecureServerCredentials.create()).build().start();
    try {
      String url = "http://127.0.0.1:" + xds.getPort();

      assertThat(captured.run("get", "objects", "--server", url)).isEqualTo(1);
      assertThat(captured.err())
          .isEqualTo(
              "holdfast: "
                  + url
                  + " does not speak HTTP/1.1: is it the xDS port? (expected: the admin API of"
                  + " 'holdfast serve', by default http://127.0.0.1:19000)\n");
    } finally {
      xds.shutdownNow();
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"get objects", "describe HTTPProxy/shop/web"})
  void anotherHttpServerIsTold(String command) throws IOException {
    HttpServer other =
        HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    other.start();
    try {
      String url = "http://127.0.0.1:" + other.getAddress().getPort();

      assertThat(captured.run((command + " --server " + url).split(" "))).isEqualTo(1);
      assertThat(captured.err())
          .startsWith("holdfast: " + url + " is another HTTP server: it has no /api/v1/objects")
          .endsWith(" (expected: the admin API of 'holdfast serve')\n");
    } finally {
      other.stop(0);
    }
  }
}
