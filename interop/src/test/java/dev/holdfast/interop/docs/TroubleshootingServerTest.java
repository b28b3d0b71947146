// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.interop.docs;

import static dev.holdfast.interop.docs.TroubledShop.HOST;
import static dev.holdfast.interop.docs.TroubledShop.STOREFRONT;
import static dev.holdfast.interop.docs.TroubleshootingTest.PROGRAMMED;
import static dev.holdfast.interop.docs.TroubleshootingTest.host;
import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.interop.TestSources;
import dev.holdfast.interop.envoy.EnvoyBinary;
import dev.holdfast.interop.envoy.EnvoyProcess;
import dev.holdfast.interop.envoy.Http;
import dev.holdfast.testkit.ReservedPorts;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import javax.tools.ToolProvider;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * The symptoms of docs/troubleshooting.md that are about how a server or an Envoy starts; each has
 * a server of its own.
 */
class TroubleshootingServerTest {
  private static final String NO_START = "The server does not start";
  private static final String NO_PROXY = "A proxy is not in `get proxies`";
  private static final String ANY = " --xds-address 127.0.0.1:0 --admin-address 127.0.0.1:0";

  @TempDir Path place;

  /** A server starts after all, and is ended again. */
  private static void starts(TroubledShop shop, String command) throws Exception {
    String started =
        shop.output(
            "./"
                + command
                + " > started.log 2>&1 & pid=$!; for i in $(seq 300); do"
                + " grep -q 'holdfast ready' started.log && break; sleep 0.2; done;"
                + " kill $pid; wait $pid || true; cat started.log");
    assertThat(started).contains("holdfast ready");
  }

  @Test
  @Symptom(NO_START)
  @Symptom(value = NO_START, row = "`the port is in use`")
  @Symptom(value = NO_START, row = "`no such directory`")
  @Symptom(value = NO_START, row = "`in use by another holdfast`")
  @Symptom("A command cannot reach the server")
  void theServerOrACommandIsGivenSomethingWrong() throws Exception {
    try (TroubledShop shop = TroubledShop.open(place)) {
      TroubledShop.Reader reader = shop.reads(NO_START).reads("exits with code 1");
      String exit = "; echo code $?";

      assertThat(shop.output("set +e; ./holdfast serve examples/shop --state new.db" + exit))
          .containsPattern("holdfast: .* the port is in use \\(--admin-address sets")
          .endsWith("code 1");
      reader.reads("with the option in the line");
      starts(shop, "holdfast serve examples/shop --state new.db" + ANY);

      assertThat(shop.output("set +e; ./holdfast serve examples/shp --state new.db" + ANY + exit))
          .contains("holdfast: examples/shp: no such directory")
          .endsWith("code 1");

      assertThat(shop.output("set +e; ./holdfast serve examples/shop" + ANY + exit))
          .contains("in use by another holdfast, process " + shop.serverPid())
          .endsWith("code 1");
      reader.reads("its own file with `--state`");
      starts(shop, "holdfast serve examples/shop --state own.db" + ANY);

      TroubledShop.Reader other = shop.reads("A command cannot reach the server");
      other.reads("`cannot be reached: Connection refused`").reads("exits with code 1");
      other.sees(
          "./holdfast get objects --server http://127.0.0.1:1",
          "cannot be reached: Connection refused");
      other.isDone();
      assertThat(shop.output("./holdfast get objects")).contains("storefront");
      shop.stop();
      Path token =
          Files.writeString(
              shop.directory().resolve("token"), "0123456789abcdef0123456789abcdef\n");
      Files.setPosixFilePermissions(token, PosixFilePermissions.fromString("rw-------"));
      shop.serve("--admin-token-file", "token");
      other.reads("`--token-file`");
      assertThat(shop.output("./holdfast get objects")).doesNotContain("storefront");
      assertThat(shop.output("./holdfast get objects --token-file token")).contains("storefront");
    }
  }

  @Test
  @Symptom(value = NO_START, row = "`holdfast: building`, and nothing else for minutes")
  void theFirstBuildIsRunning() throws Exception {
    Path root = TestSources.repositoryRoot();
    Files.copy(root.resolve("holdfast"), place.resolve("holdfast"));
    Files.copy(root.resolve("pom.xml"), place.resolve("pom.xml"));
    Path build = place.resolve("mvnw"); // one that takes as long as it is wanted to
    Files.writeString(build, "#!/bin/sh\necho compiling\ntouch begun\nread -r end\nexit 1\n");
    assertThat(build.toFile().setExecutable(true)).isTrue();
    Process process =
        new ProcessBuilder(place.resolve("holdfast").toString(), "serve", "examples/shop")
            .redirectErrorStream(true)
            .start();
    try {
      assertThat(process.inputReader().readLine()).startsWith("holdfast: building");
      TroubledShop.eventually(
          "the build runs",
          () -> {
            assertThat(place.resolve("begun")).exists();
            return "";
          });
      assertThat(process.isAlive()).isTrue();
      assertThat(TroubledShop.section(NO_START).text())
          .contains("`cli/target/quick/launcher/build.log`");
      assertThat(place.resolve("cli/target/quick/launcher/build.log")).hasContent("compiling");
      process.outputWriter().close();
      assertThat(process.waitFor()).isEqualTo(1);
    } finally {
      process.destroyForcibly();
    }
  }

  @Test
  @Symptom(value = PROGRAMMED, row = "`Unknown/NoDataPlane`")
  @Symptom(NO_PROXY)
  @Symptom(value = NO_PROXY, row = "its bootstrap file has a wrong address")
  @Symptom(value = NO_PROXY, row = "two proxies have the same `node.id`")
  void anEnvoyIsStartedWithTheWrongBootstrap() throws Exception {
    try (TroubledShop shop = TroubledShop.open(place)) {
      String right = shop.output("./holdfast bootstrap envoy --admin-port 0 | tee envoy.yaml");
      String xds = "port_value: " + shop.port(Ports.XDS);
      assertThat(right).contains(xds);
      String bootstrap = Files.readString(shop.directory().resolve("envoy.yaml"));
      TroubledShop.Reader reader = shop.reads(NO_PROXY);
      try (EnvoyProcess lost = EnvoyProcess.start(bootstrap.replace(xds, "port_value: 1"))) {
        assertThat(lost.isAlive()).isTrue();
        shop.reads(PROGRAMMED)
            .sees("./holdfast get objects", "HTTPProxy storefront 1 - True Unknown/NoDataPlane");
        shop.reads(PROGRAMMED).sees("./holdfast get proxies", "no proxies");
        reader.sees("./holdfast get proxies", "no proxies");
        reader.sees("./holdfast bootstrap envoy", xds);
        reader.isDone();
      }
      try (EnvoyProcess envoy = EnvoyProcess.start(bootstrap)) {
        reader.sees("./holdfast get proxies", "synced");
        answers(envoy);
        shop.reads(PROGRAMMED).sees("./holdfast get objects", "HTTPProxy storefront 1 1 True True");
        try (EnvoyProcess twin = EnvoyProcess.start(bootstrap)) {
          answers(twin);
          reader.reads("shared node id").sees("./holdfast get proxies", "shared node id");
        }
        String own = shop.output("./holdfast bootstrap envoy --node edge-2 > other.yaml");
        assertThat(own).doesNotContain("error");
        String other =
            Files.readString(shop.directory().resolve("other.yaml"))
                .replace("port_value: " + shop.port(Ports.ENVOY_ADMIN), "port_value: 0");
        try (EnvoyProcess second = EnvoyProcess.start(other)) {
          reader.reads("with `--node`").sees("./holdfast get proxies", "edge-2");
          answers(second);
          TroubledShop.eventually(
              "only these two",
              () -> {
                String proxies =
                    TroubleshootingTest.text(() -> shop.output("./holdfast get proxies -o json"));
                assertThat(proxies.split("\"node\"", -1)).hasSize(3);
                return proxies;
              });
        }
      }
    }
  }

  private static void answers(EnvoyProcess envoy) {
    TroubledShop.eventually(
        HOST,
        () -> {
          assertThat(envoy.http("ingress_http").get("/").host(HOST).send().status()).isEqualTo(200);
          return envoy;
        });
  }

  @Test
  @Symptom(
      value = NO_PROXY,
      row =
          "the proxy is on another machine, and the xDS port listens on a loopback address, which is"
              + " the default")
  @Symptom(value = NO_PROXY, row = "Envoy exited with `unable to bind domain socket`")
  void anEnvoyCannotConnectOrStart() throws Exception {
    try (TroubledShop shop = TroubledShop.open(place)) {
      // Another address stands for that of another machine.
      int port = shop.port(Ports.XDS);
      String command = "./holdfast bootstrap envoy --xds-address 127.0.0.3:%d".formatted(port);
      shop.output(command + " > envoy.yaml");
      String bootstrap =
          Files.readString(shop.directory().resolve("envoy.yaml"))
              .replace("port_value: " + shop.port(Ports.ENVOY_ADMIN), "port_value: 0");
      TroubledShop.Reader reader =
          shop.reads(NO_PROXY).reads("start the server with `--xds-address`");
      try (EnvoyProcess envoy = EnvoyProcess.start(bootstrap)) {
        reader.sees("./holdfast get proxies", "no proxies");
        shop.stop();
        shop.serve("--xds-address", "127.0.0.3:" + port);
        reader.sees("./holdfast get proxies", "synced");
        answers(envoy);
      }

      Files.writeString(shop.directory().resolve("any.yaml"), bootstrap);
      String envoy = EnvoyBinary.find() + " -c any.yaml --base-id 4711";
      List<Process> started = new ArrayList<>();
      try {
        started.add(run(shop, envoy, "first.log"));
        logs(shop, "first.log", "starting main dispatch loop");
        started.add(run(shop, envoy, "second.log"));
        logs(shop, "second.log", "unable to bind domain socket");
        assertThat(started.get(1).waitFor()).isNotZero();
        started.add(
            run(shop, envoy.replace("--base-id 4711", "--use-dynamic-base-id"), "third.log"));
        reader.reads("`--use-dynamic-base-id`");
        logs(shop, "third.log", "starting main dispatch loop");
      } finally {
        started.forEach(Process::destroy);
        for (Process process : started) {
          process.waitFor();
        }
      }
    }
  }

  private static Process run(TroubledShop shop, String command, String log) throws Exception {
    return new ProcessBuilder(command.split(" "))
        .directory(shop.directory().toFile())
        .redirectErrorStream(true)
        .redirectOutput(shop.directory().resolve(log).toFile())
        .start();
  }

  private static void logs(TroubledShop shop, String log, String text) {
    TroubledShop.eventually(
        log,
        () -> {
          assertThat(shop.directory().resolve(log)).content().contains(text);
          return log;
        });
  }

  @Test
  @Symptom(value = PROGRAMMED, row = "`Unknown/Pending` with `cannot apply Listener`")
  void aPortOfTheProxyIsInUse() throws Exception {
    // When it is freed, the system gives it to nobody else.
    ServerSocket other =
        new ServerSocket(ReservedPorts.next(), 1, InetAddress.getLoopbackAddress());
    try (TroubledShop shop = new TroubledShop(place, Map.of())) {
      shop.serve(
          "--http-address", "127.0.0.1:" + other.getLocalPort(), "--https-address", "127.0.0.1:0");
      shop.join("edge-1");
      TroubledShop.Reader reader = shop.reads(PROGRAMMED);

      reader.sees("./holdfast get objects", "Unknown/Pending");
      reader.sees(
          "./holdfast get problems",
          "proxy edge-1 LocalProblem",
          "cannot apply Listener",
          "in use");
      assertThat(shop.output("./holdfast describe HTTPProxy/shop/storefront"))
          .contains("cannot apply Listener");

      other.close();
      reader.reads("at least once a minute");
      reader.sees("./holdfast get objects", "HTTPProxy storefront 1 1 True True");
      assertThat(Http.on(other.getLocalPort()).get("/").host(HOST).send().status()).isEqualTo(200);
    } finally {
      other.close();
    }
  }

  @Test
  @Symptom(value = PROGRAMMED, row = "`False/AttributionPending`")
  void theStateIsLostAndAProxyRejects() throws Exception {
    try (TroubledShop shop = TroubledShop.open(place)) {
      shop.join("edge-1");
      shop.write("new.yaml", host("new"));
      shop.answers("new.example.com", "/", 200);
      shop.stop();
      deleteState(shop);
      // Envoy's error is too short to tell whose it is.
      shop.write(
          "new.yaml",
          host(
              "new",
              "routes: [{services: [{name: web, port: 80}]}, {conditions: [{regex: \"/\\\\pL\"}],"
                  + " services: [{name: web, port: 80}]}]"));
      shop.serve();
      TroubledShop.Reader reader = shop.reads(PROGRAMMED);

      reader
          .reads("the message has the proxy's error")
          .sees(
              "./holdfast get problems", "AttributionPending", "would remove", "max program size");
      assertThat(shop.ask("new.example.com", "/").status()).isEqualTo(200);
      assertThat(shop.ask(HOST, "/").status()).isEqualTo(200);

      shop.write("new.yaml", host("new"));
      reader.reads("edit or delete the bad one").sees("./holdfast get problems", "no problems");
      reader.sees("./holdfast get objects", "HTTPProxy new 2 2 True True");
    }
  }

  private static void deleteState(TroubledShop shop) throws Exception {
    try (Stream<Path> files = Files.walk(shop.directory().resolve("home"))) {
      for (Path file : files.filter(path -> path.toString().contains("state.db")).toList()) {
        Files.delete(file);
      }
    }
  }

  @Test
  @Symptom("A status or `/readyz` says `internal error`")
  void theServerHasABug() throws Exception {
    Path bug = place.resolve("bug");
    Path classes = Files.createDirectories(place.resolve("classes"));
    compileAProbeThatFailsWhile(bug, classes);
    Path shopPlace = Files.createDirectories(place.resolve("shop"));
    try (TroubledShop shop =
        new TroubledShop(
            shopPlace,
            Map.of("HOLDFAST_JAVA_OPTS", "-XX:+UseSerialGC -Xbootclasspath/a:" + classes))) {
      shop.serve();
      shop.join("edge-1");
      shop.answers(HOST, "/", 200);
      Files.createFile(bug);
      shop.write("new.yaml", host("new"));
      TroubledShop.Reader reader = shop.reads("A status or `/readyz` says `internal error`");

      reader.sees("curl -s http://127.0.0.1:19000/readyz", "internal error");
      reader.sees(
          "curl -s http://127.0.0.1:19000/metrics | grep '^holdfast_internal_errors_total'",
          "holdfast_internal_errors_total");
      reader.isDone();
      TroubledShop.eventually(
          "it is held",
          () -> {
            String problems =
                TroubleshootingTest.text(() -> shop.output("./holdfast get problems"));
            assertThat(problems)
                .contains("HTTPProxy/shop/new AttributionPending", "internal error");
            return problems;
          });
      reader.reads("`AttributionPending`").reads("the stack trace, which is in the server's log");
      assertThat(shop.serverLog()).contains("IllegalStateException: a bug", "\tat ");
      assertThat(shop.ask(HOST, "/").status()).isEqualTo(200);

      Files.delete(bug);
      shop.write(
          "new.yaml",
          host(
              "new",
              "routes: [{services: [{name: web, port: 80}], timeoutPolicy: {response: 9s}}]"));
      reader.reads("An edit of the object");
      shop.answers("new.example.com", "/", 200);
    }
  }

  /** The product's own, except that what does nothing there throws here while a file exists. */
  private static void compileAProbeThatFailsWhile(Path bug, Path classes) throws Exception {
    Path source = classes.resolve("DecisionProbe.java");
    String text =
        Files.readString(
            TestSources.repositoryRoot()
                .resolve(
                    "control-plane/src/main/java/dev/holdfast/controlplane/ledger/DecisionProbe.java"));
    assertThat(text).contains("point -> {};");
    Files.writeString(
        source,
        text.replace(
            "point -> {};",
            "point -> { if (point == Point.TRANSLATION && new java.io.File(\"%s\").exists())"
                    .formatted(bug)
                + " { throw new IllegalStateException(\"a bug\"); } };"));
    assertThat(
            ToolProvider.getSystemJavaCompiler()
                .run(null, null, null, "-d", classes.toString(), source.toString()))
        .isZero();
  }

  @Test
  @Symptom(value = PROGRAMMED, row = "`Unknown/Pending`")
  @Symptom(value = PROGRAMMED, row = "`False/ProxyHung`")
  void theOnlyProxyStopsAnswering() throws Exception {
    try (TroubledShop shop = TroubledShop.open(place)) {
      EnvoyProcess envoy = shop.join("edge-1");
      shop.answers(HOST, "/", 200);
      Http http = envoy.http("ingress_http");
      TroubledShop.Reader reader = shop.reads(PROGRAMMED);
      reader.sees("./holdfast get objects", "HTTPProxy storefront 1 1 True True");

      shop.write("lua.yaml", TroubleshootingTest.script("loop", "storefront", "while true do end"));
      reader.sees("./holdfast get objects", "ExtensionPolicy loop 1 - True Unknown/Pending");
      reader.sees("./holdfast get proxies", "edge-1", "pending");
      reader
          .reads("or the only one did")
          .sees(
              "./holdfast get objects", "ExtensionPolicy loop 1 - True False/ProxyHung", "edge-1");
      reader.reads("they still answer requests");
      assertThat(http.get("/").host(HOST).send().status()).isEqualTo(200);

      shop.write(
          "lua.yaml",
          TroubleshootingTest.script("loop", "storefront", "function envoy_on_request(h) end"));
      shop.leave("edge-1");
      shop.join("edge-1");
      shop.answers(HOST, "/", 200);
      reader.sees("./holdfast get objects", "ExtensionPolicy loop 2 2 True True");

      // One that is only slow is waited for.
      shop.envoy().freeze();
      shop.edit(STOREFRONT, "idle: 1m", "idle: 2m");
      reader.sees("./holdfast get objects", "HTTPProxy storefront 2 1 True Unknown/Pending");
      shop.envoy().thaw();
      reader.reads("wait a few seconds");
      reader.sees("./holdfast get objects", "HTTPProxy storefront 2 2 True True");
    }
  }
}
