// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.interop.etcd;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.cli.Main;
import dev.holdfast.interop.LineProcess;
import dev.holdfast.interop.envoy.Backend;
import dev.holdfast.interop.envoy.EnvoyBootstrap;
import dev.holdfast.interop.envoy.EnvoyProcess;
import dev.holdfast.interop.envoy.Http;
import dev.holdfast.interop.serve.Plane;
import dev.holdfast.interop.serve.Yaml;
import dev.holdfast.interop.serve.hold.Load;
import dev.holdfast.testkit.ReservedPorts;
import dev.holdfast.testkit.TestCa;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.List;
import java.util.SortedMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Servers with files and a state in an etcd, an Envoy, and requests to it all the time. Only the
 * leader opens the xDS port, so all servers can have the same one.
 */
class EtcdServersTest {
  private static final int HOSTS = 6;

  @TempDir private Path root;

  private final int xdsPort = ReservedPorts.next();

  /** One server. */
  private final class Server implements AutoCloseable {
    private final int adminPort = ReservedPorts.next();
    private final LineProcess process;

    Server(String state, int xds, String... options) throws Exception {
      List<String> command =
          new ArrayList<>(
              List.of(
                  Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                  "-XX:TieredStopAtLevel=1",
                  "-XX:+UseSerialGC",
                  "-cp",
                  System.getProperty("java.class.path"),
                  Main.class.getName(),
                  "serve",
                  root.resolve("objects").toString(),
                  "--state",
                  state,
                  "--xds-address",
                  "127.0.0.1:" + xds,
                  "--admin-address",
                  "127.0.0.1:" + adminPort,
                  "--http-address",
                  "127.0.0.1:0",
                  "--https-address",
                  "0.0.0.0:0"));
      command.addAll(List.of(options));
      process = new LineProcess(root, command);
    }

    Server awaitLeading() throws Exception {
      process.await("to lead", line -> line.startsWith("holdfast ready"));
      return this;
    }

    Server awaitStandby() {
      Plane.await("standby", () -> get("/readyz").startsWith("standing by: "));
      assertThat(get("/healthz")).isEqualTo("ok\n");
      return this;
    }

    String get(String path) {
      try {
        return HttpClient.newHttpClient()
            .send(
                HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + adminPort + path)).build(),
                HttpResponse.BodyHandlers.ofString())
            .body();
      } catch (Exception e) {
        return "";
      }
    }

    boolean isProgrammed(String name, long generation) {
      String object = get("/api/v1/objects/HTTPProxy/default/" + name);
      return object.contains("\"generation\":" + generation)
          && object.replaceAll("\\s", "").contains("\"reason\":\"Programmed\"");
    }

    @Override
    public void close() {
      process.close();
    }
  }

  private void write(String name, String text) throws Exception {
    Path objects = Files.createDirectories(root.resolve("objects"));
    Path next = Files.writeString(root.resolve("next"), text);
    Files.move(
        next,
        objects.resolve(name),
        StandardCopyOption.ATOMIC_MOVE,
        StandardCopyOption.REPLACE_EXISTING);
  }

  private static String host(int i) {
    return "h" + i + ".example.com";
  }

  private void writeHost(int i, String service) throws Exception {
    write(
        "h" + i + ".yaml",
        Yaml.root(
            "h" + i,
            host(i),
            """
            routes:
            - services:
              - name: %s
                port: 80
            """
                .formatted(service)));
  }

  private void writeObjects(Backend one, Backend two) throws Exception {
    write(
        "services.yaml",
        Yaml.service("one", one.port()) + "---\n" + Yaml.service("two", two.port()));
    for (int i = 0; i < HOSTS; i++) {
      writeHost(i, "one");
    }
  }

  private static String backend(Http http, int i) {
    return http.get("/").host(host(i)).send().backend();
  }

  @Test
  void noRequestFailsWhateverBecomesOfEtcdAndOfTheServers() throws Exception {
    try (EtcdMember etcd = EtcdMember.start(root);
        Backend one = Backend.start("one");
        Backend two = Backend.start("two")) {
      writeObjects(one, two);
      String state = "etcd://" + etcd.address() + "/holdfast";
      Server first = new Server(state, xdsPort).awaitLeading();
      try (EnvoyProcess envoy = EnvoyProcess.start(EnvoyBootstrap.delta(xdsPort))) {
        Http http = envoy.http("ingress_http");
        Plane.await("it is served", () -> backend(http, HOSTS - 1).equals("one"));
        List<String> hosts = new ArrayList<>();
        for (int i = 0; i < HOSTS; i++) {
          hosts.add(host(i));
        }
        try (Load load = new Load(http.port(), hosts);
            Server second = new Server(state, xdsPort).awaitStandby()) {
          assertThat(second.get("/readyz")).matches("standing by: .+ leads\n");

          // etcd is killed: edits wait, everybody is told, traffic goes on.
          etcd.kill();
          writeHost(0, "two");
          Plane.await("it is told", () -> first.get("/readyz").contains("edits wait since"));
          assertThat(first.get("/readyz")).contains("etcd at " + etcd.address() + ": ");
          Plane.await(
              "it is a problem", () -> first.get("/api/v1/problems").contains("StateNotWritable"));
          assertThat(first.get("/metrics")).contains("holdfast_state_writable 0");
          assertThat(backend(http, 0)).isEqualTo("one");
          Plane.await(
              "the standby says it, too",
              () -> second.get("/readyz").contains("etcd at " + etcd.address() + ": "));
          etcd.up();
          Plane.await("the edit arrives", () -> backend(http, 0).equals("two"));
          Plane.await("all is well", () -> first.get("/readyz").equals("ready\n"));
          Plane.await("programmed", () -> first.isProgrammed("h0", 2));

          // A broken edit, so that the next leader has something to remember.
          write(
              "h1.yaml",
              Yaml.root("h1", host(1), "routes: [{services: [{name: missing, port: 80}]}]\n"));
          Plane.await(
              "it is invalid",
              () -> first.get("/api/v1/objects/HTTPProxy/default/h1").contains("missing"));

          long killed = System.nanoTime();
          first.process.signal("KILL");
          first.process.exitCode();
          second.awaitLeading();
          System.out.printf(
              "etcd: the standby serves %.1f s after the kill of the leader%n",
              (System.nanoTime() - killed) / 1e9);
          assertThat(backend(http, 0)).isEqualTo("two");
          assertThat(backend(http, 1)).as("the last good generation").isEqualTo("one");
          writeHost(2, "two");
          Plane.await("edits go on", () -> backend(http, 2).equals("two"));
          Plane.await("programmed", () -> second.isProgrammed("h2", 2));

          // A process that is stopped keeps its port, so the next leader needs another one here.
          try (Server third = new Server(state, ReservedPorts.next()).awaitStandby()) {
            second.process.signal("STOP");
            third.awaitLeading();
            writeHost(3, "two");
            Plane.await(
                "the new leader knows it",
                () ->
                    third.get("/api/v1/objects/HTTPProxy/default/h3").contains("\"generation\":2"));
            // So that whatever is written now was written by the other one.
            third.process.signal("STOP");
            SortedMap<String, Long> before = settled(etcd);
            second.process.signal("CONT");
            assertThat(second.process.exitCode()).as("another one leads").isEqualTo(1);
            SortedMap<String, Long> after = settled(etcd);
            assertThat(after).isEqualTo(before);
          }
          try (Server fourth = new Server(state, xdsPort).awaitLeading()) {
            Plane.await("the edit of that time", () -> backend(http, 3).equals("two"));
            Plane.await("programmed", () -> fourth.isProgrammed("h3", 2));
            fourth.process.signal("TERM");
            assertThat(fourth.process.exitCode()).isZero();
            assertThat(etcd.keys("/holdfast/"))
                .as("it has let go")
                .doesNotContainKey("/holdfast/leader");
          }
          long requests = load.requests();
          Plane.await("more requests", () -> load.requests() > requests + 20);
          assertThat(load.failures()).isEmpty();
          System.out.printf("etcd: %d requests, none failed%n", load.requests());
        }
      } finally {
        first.close();
      }
    }
  }

  /** The keys of the state, when what was on its way has arrived. */
  private static SortedMap<String, Long> settled(EtcdMember etcd) throws Exception {
    while (true) {
      SortedMap<String, Long> keys = etcd.keys("/holdfast/state/");
      Thread.sleep(300);
      if (keys.equals(etcd.keys("/holdfast/state/"))) {
        return keys;
      }
    }
  }

  @Test
  void certificatesAndPasswordsAreCheckedOnBothSides() throws Exception {
    TestCa ca = TestCa.create("etcd");
    ca.writeTo(Files.createDirectories(root.resolve("tls")));
    ca.issue("etcd").writeTo(Files.createDirectories(root.resolve("server")));
    ca.issue("root").writeTo(Files.createDirectories(root.resolve("client")));
    TestCa other = TestCa.create("other");
    other.writeTo(Files.createDirectories(root.resolve("other")));
    Path authority = root.resolve("tls/ca.pem");
    String certificate = root.resolve("client/cert.pem").toString();
    String key = root.resolve("client/key.pem").toString();
    try (EtcdMember etcd =
            EtcdMember.start(
                root,
                "--cert-file=" + root.resolve("server/cert.pem"),
                "--key-file=" + root.resolve("server/key.pem"),
                "--client-cert-auth",
                "--trusted-ca-file=" + authority);
        Backend one = Backend.start("one")) {
      writeObjects(one, one);
      String state = "etcds://localhost:" + etcd.port() + "/holdfast";
      try (Server served =
          new Server(
              state,
              xdsPort,
              "--etcd-ca",
              authority.toString(),
              "--etcd-certificate",
              certificate,
              "--etcd-key",
              key)) {
        served.awaitLeading();
        served.process.signal("TERM");
        assertThat(served.process.exitCode()).isZero();
      }
      try (Server stranger = new Server(state, xdsPort, "--etcd-ca", authority.toString())) {
        stranger.awaitStandby();
        Plane.await("it is told", () -> stranger.get("/readyz").contains("etcd at localhost:"));
      }
      try (Server mistaken =
          new Server(state, xdsPort, "--etcd-ca", root.resolve("other/ca.pem").toString())) {
        mistaken.awaitStandby();
        Plane.await("it is told", () -> mistaken.get("/readyz").contains("certification path"));
      }
    }
  }

  @Test
  void aUserNeedsTheRightPasswordAndRightsForThePrefix() throws Exception {
    try (EtcdMember etcd = EtcdMember.start(root);
        Backend one = Backend.start("one")) {
      writeObjects(one, one);
      etcd.call("/v3/auth/user/add", "{\"name\":\"root\",\"password\":\"r\"}");
      etcd.call("/v3/auth/role/add", "{\"name\":\"root\"}");
      etcd.call("/v3/auth/user/grant", "{\"user\":\"root\",\"role\":\"root\"}");
      etcd.call("/v3/auth/user/add", "{\"name\":\"holdfast\",\"password\":\"s:3cret\"}");
      etcd.call("/v3/auth/role/add", "{\"name\":\"holdfast\"}");
      etcd.call(
          "/v3/auth/role/grant",
          "{\"name\":\"holdfast\",\"perm\":{\"permType\":\"READWRITE\",\"key\":\"%s\",\"range_end\":\"%s\"}}"
              .formatted(EtcdMember.base64("/holdfast/"), EtcdMember.base64("/holdfast0")));
      etcd.call("/v3/auth/user/grant", "{\"user\":\"holdfast\",\"role\":\"holdfast\"}");
      etcd.call("/v3/auth/enable", "{}");

      Path right = Files.writeString(root.resolve("right"), "holdfast:s:3cret\n");
      Path wrong = Files.writeString(root.resolve("wrong"), "holdfast:guess\n");
      String place = "etcd://" + etcd.address();
      try (Server served =
          new Server(place + "/holdfast", xdsPort, "--etcd-user-file", right.toString())) {
        served.awaitLeading();
        etcd.kill(); // which knows no tokens of before
        etcd.up();
        writeHost(0, "missing");
        Plane.await(
            "it logs in again",
            () -> served.get("/api/v1/objects/HTTPProxy/default/h0").contains("\"generation\":2"));
        served.process.signal("TERM");
        assertThat(served.process.exitCode()).isZero();
      }
      for (List<String> refused :
          List.of(
              List.of(place + "/holdfast", "--etcd-user-file", wrong.toString()),
              List.of(place + "/elsewhere", "--etcd-user-file", right.toString()),
              List.of(place + "/holdfast"))) {
        assertThat(exitCode(etcd, refused)).as("%s", refused).isEqualTo(1);
      }
    }
  }

  /**
   * How a server ends that etcd refuses. It asks once before it starts; if etcd does not answer in
   * time, as on a busy machine, it stands by and says why, and another one is started.
   */
  private int exitCode(EtcdMember etcd, List<String> arguments) throws Exception {
    for (int i = 0; i < 10; i++) {
      try (Server refused =
          new Server(
              arguments.get(0),
              xdsPort,
              arguments.subList(1, arguments.size()).toArray(String[]::new))) {
        Plane.await(
            "it ends, or says why it waits",
            () ->
                !refused.process.isAlive()
                    || refused.get("/readyz").contains("etcd at " + etcd.address() + ": "));
        if (!refused.process.isAlive()) {
          return refused.process.exitCode();
        }
      }
    }
    throw new AssertionError(arguments + ": never ended");
  }
}
