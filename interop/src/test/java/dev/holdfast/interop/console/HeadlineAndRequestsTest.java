// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.interop.console;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import dev.holdfast.interop.TestSources;
import dev.holdfast.interop.envoy.Backend;
import dev.holdfast.interop.envoy.EnvoyBootstrap;
import dev.holdfast.interop.envoy.EnvoyProcess;
import dev.holdfast.interop.envoy.Http;
import dev.holdfast.interop.serve.Docs;
import dev.holdfast.interop.serve.Plane;
import dev.holdfast.interop.serve.PlaneProcess;
import dev.holdfast.interop.serve.Yaml;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.function.IntSupplier;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * The console beside requests through a real Envoy: while a request does not get what its author
 * wants, the headline does not say that all is well.
 */
class HeadlineAndRequestsTest {
  private static final String WELL = "Proxies run the newest generation";
  private static final int HOSTS = 12;
  private static final Path IMAGES =
      TestSources.repositoryRoot().resolve("interop/target/screenshots");

  private static String host(String name, String service) {
    return Docs.proxy(
        name,
        "virtualhost: {fqdn: %s.example.com}\nroutes: [{services: [{name: %s, port: 80}]}]\n"
            .formatted(name, service));
  }

  private static int status(Http http, String name) {
    return status(http, name, "/");
  }

  private static int status(Http http, String name, String path) {
    try {
      return http.get(path).host(name + ".example.com").send().status();
    } catch (UncheckedIOException e) {
      return 0;
    }
  }

  private static void save(Page page, String name) throws IOException {
    Files.createDirectories(IMAGES);
    Files.write(IMAGES.resolve("console-" + name + ".png"), page.picture());
  }

  /** Waits until the headline is another one, with requests on the way that must agree with it. */
  private static void isTold(Page page, String headline, IntSupplier request, int expected) {
    page.awaitText("#headline", headline);
    assertThat(request.getAsInt()).isEqualTo(expected);
    assertThat(page.text("#headline")).doesNotContain(WELL);
  }

  @Test
  void itNeverSaysThatAllIsWellWhileARequestFails() throws Exception {
    List<String> files = new ArrayList<>(List.of("services.yaml", ""));
    try (Backend one = Backend.start("one")) {
      files.set(1, Yaml.service("one", one.port()));
      for (int i = 0; i < HOSTS; i++) {
        files.add("h" + i + ".yaml");
        files.add(host("h" + i, "one"));
      }
      try (Plane plane = Plane.start(files.toArray(String[]::new));
          EnvoyProcess envoy = EnvoyProcess.start(EnvoyBootstrap.delta(plane.xdsPort()));
          Page page = Browser.shared().open().prefer("light").size(1200, 900)) {
        Http http = envoy.http("ingress_http");
        Plane.await("it answers", () -> status(http, "h0") == 200);
        page.load("http://127.0.0.1:" + plane.adminPort() + "/console/")
            .awaitText("#headline", WELL);

        // A proxy refuses an edit.
        plane.write(
            "h0.yaml",
            Docs.proxy(
                "h0",
                """
                virtualhost: {fqdn: h0.example.com}
                routes:
                - services: [{name: one, port: 80}]
                - conditions: [{regex: "/[a-z0-9]{1,200}/x"}]
                  services: [{name: one, port: 80}]
                """));
        isTold(page, "1 object is held.", () -> status(http, "h0"), 200);
        save(page, "held-refused");
        plane.write("h0.yaml", host("h0", "one"));
        page.awaitText("#headline", WELL);

        // An edit is not valid.
        plane.write("h0.yaml", host("h0", "one").replace("services:", "servces:"));
        isTold(page, "1 object is held.", () -> status(http, "h0"), 200);
        page.awaitText(".card", "Held, invalid").awaitText(".card", "servces");
        save(page, "held-invalid-envoy");
        plane.write("h0.yaml", host("h0", "one"));
        page.awaitText("#headline", WELL);

        // A new object is not valid.
        plane.write("new.yaml", host("new", "one").replace("services:", "servces:"));
        isTold(page, "1 object is invalid and not served.", () -> status(http, "new"), 404);
        save(page, "invalid-envoy");

        // A new object claims a host that is served.
        plane.write("new.yaml", host("new", "one").replace("new.example.com", "h1.example.com"));
        isTold(page, "1 object is held.", () -> status(http, "h1"), 200);
        page.awaitText(".card", "Held, conflict").awaitText(".card", "default/h1");
        save(page, "conflict-envoy");
        plane.delete("new.yaml");
        page.awaitText("#headline", WELL);

        // Of a new object only a part can be served.
        plane.write(
            "new.yaml",
            Docs.proxy(
                "new",
                """
                virtualhost: {fqdn: new.example.com}
                routes:
                - services: [{name: one, port: 80}]
                - conditions: [{prefix: /x}]
                  services: [{name: nowhere, port: 80}]
                """));
        Plane.await("a part is served", () -> status(http, "new") == 200);
        isTold(page, "1 object is served only in part", () -> status(http, "new", "/x"), 503);
        page.awaitText(".card.bad", "Partly served").awaitText(".card.bad", "nowhere");
        save(page, "partly-served-envoy");
        plane.delete("new.yaml");
        page.awaitText("#headline", WELL);

        // A file cannot be read: its object stays, and a new one in it is not served.
        plane.write("h0.yaml", host("h0", "one") + "---\n" + host("more", "one") + "  : [\n");
        isTold(page, "1 problem with a file", () -> status(http, "more"), 404);
        assertThat(status(http, "h0")).isEqualTo(200);
        save(page, "unreadable-envoy");
        plane.write("h0.yaml", host("h0", "one"));
        page.awaitText("#headline", WELL);

        // A host needs what does not exist.
        plane.write("gone.yaml", host("gone", "nowhere"));
        Plane.await("it fails", () -> status(http, "gone") == 503);
        isTold(page, "served only in part", () -> status(http, "gone"), 503);
        save(page, "while-503");
        plane.delete("gone.yaml");
        page.awaitText("#headline", WELL);

        // All hosts are deleted.
        for (int i = 0; i < HOSTS; i++) {
          plane.delete("h" + i + ".yaml");
        }
        isTold(page, "still served", () -> status(http, "h" + (HOSTS - 1)), 200);
        save(page, "deletion-brake");
        assertThat(page.complaints()).isEmpty();
      }
    }
  }

  @Test
  void aStateThatCannotBeWrittenIsTold(@TempDir Path root) throws Exception {
    assumeThat(Path.of("/usr/bin/prlimit")).isExecutable();
    try (Backend one = Backend.start("one");
        PlaneProcess plane = serving(root, one);
        EnvoyProcess envoy = EnvoyProcess.start(EnvoyBootstrap.sotw(plane.xdsPort()));
        Page page = Browser.shared().open().prefer("light").size(1200, 900)) {
      Http http = envoy.http("ingress_http");
      Plane.await("it answers", () -> status(http, "h") == 200);
      page.load("http://127.0.0.1:" + plane.adminPort() + "/console/").awaitText("#headline", WELL);

      Process limit =
          new ProcessBuilder(
                  "/usr/bin/prlimit", "--pid", Long.toString(plane.pid()), "--fsize=1:unlimited")
              .inheritIO()
              .start();
      assertThat(limit.waitFor()).isZero();
      plane.write("h.yaml", host("h", "nowhere"));

      isTold(page, "problem with the state keeps all edits waiting", () -> status(http, "h"), 200);
      save(page, "state-disk");
    }
  }

  private static PlaneProcess serving(Path root, Backend one) throws Exception {
    PlaneProcess plane = new PlaneProcess(root);
    plane.write("services.yaml", Yaml.service("one", one.port()));
    plane.write("h.yaml", host("h", "one"));
    plane.up();
    return plane;
  }
}
