// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.interop.serve;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.gson.JsonObject;
import dev.holdfast.base.NamePattern;
import dev.holdfast.controlplane.authors.AuthorPolicy;
import dev.holdfast.controlplane.authors.DirectoryRule;
import dev.holdfast.controlplane.authors.ExtensionRules;
import dev.holdfast.controlplane.authors.HeaderRules;
import dev.holdfast.controlplane.authors.HostRule;
import dev.holdfast.interop.envoy.EnvoyBootstrap;
import dev.holdfast.interop.envoy.EnvoyProcess;
import dev.holdfast.interop.envoy.Http;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Rules for authors that come when objects are served which break them, on a real Envoy. */
class AuthorRulesTest {
  private static final String LUA = "ExtensionPolicy/a/lua";

  /** Namespaces by directory, hosts by namespace, and what is safe for several teams. */
  private static final AuthorPolicy STRICT =
      new AuthorPolicy(
          List.of(new DirectoryRule(new NamePattern("team-*"), patterns("{1}"))),
          List.of(
              new HostRule(patterns("*.a.example"), patterns("a")),
              new HostRule(patterns("*.b.example"), patterns("b"))),
          ExtensionRules.SAFE,
          HeaderRules.SAFE);

  private @TempDir Path directory;

  private static List<NamePattern> patterns(String... texts) {
    return Stream.of(texts).map(NamePattern::new).toList();
  }

  private static String host(String name, String fqdn, String body) {
    return Docs.proxy(
        name,
        """
        virtualhost: {fqdn: %s}
        routes:
        - directResponsePolicy: {statusCode: 200, body: %s}
        """
            .formatted(fqdn, body));
  }

  private static String lua(String script) {
    return Docs.policy(
        "a/lua",
        """
        targetRef: {name: web}
        perRoute:
        - name: envoy.filters.http.lua
          typedConfig:
            "@type": type.googleapis.com/envoy.extensions.filters.http.lua.v3.LuaPerRoute
            sourceCode: {inlineString: "%s"}
        """
            .formatted(script));
  }

  private static String problems(Plane plane) {
    return plane.items("/api/v1/problems").stream()
        .map(JsonObject::toString)
        .collect(Collectors.joining("\n"));
  }

  private static String body(Http http, String host) {
    return http.get("/").host(host).send().body();
  }

  @Test
  void aScriptCanReadTheFilesOfTheProxyAndIsRefusedByDefault() throws IOException {
    Path secret = Files.writeString(directory.resolve("secret"), "of the machine");
    String reader =
        "function envoy_on_response(h) h:headers():add('x-file', io.open('%s'):read('*a')) end"
            .formatted(secret);
    try (Plane plane =
            Plane.start("web.yaml", host("a/web", "x.a.example", "web"), "lua.yaml", lua(reader));
        EnvoyProcess envoy = EnvoyProcess.start(EnvoyBootstrap.delta(plane.xdsPort()).node("e"))) {
      plane.awaitProgrammed(LUA, 1);
      Http http = envoy.http("ingress_http");
      assertThat(http.get("/").host("x.a.example").send().header("x-file"))
          .as("what the rules are for")
          .isEqualTo("of the machine");
    }
    try (Plane plane = Plane.start("web.yaml", host("a/web", "x.a.example", "web"))) {
      plane.down();
      plane.withRules(AuthorPolicy.SAFE).up();
      plane.write("lua.yaml", lua(reader));
      assertThat(plane.awaitSaid(LUA, "Valid", "ErrorPresent").message())
          .contains("lua.yaml:", "Lua code (LuaPerRoute), which the server does not allow")
          .contains("authors.extensions.code: lua");
    }
  }

  @Test
  void whatIsServedStaysServedAndNothingElseGetsThrough() throws Exception {
    AtomicBoolean stop = new AtomicBoolean();
    AtomicInteger requests = new AtomicInteger();
    ConcurrentLinkedQueue<String> failures = new ConcurrentLinkedQueue<>();
    try (Plane plane =
            Plane.start(
                "team-a/web.yaml",
                host("a/web", "web.a.example", "web"),
                "team-a/lua.yaml",
                lua(Lua.mark("one")),
                "team-b/misplaced.yaml",
                host("a/misplaced", "other.a.example", "misplaced"),
                "team-b/taken.yaml",
                host("b/taken", "taken.a.example", "taken"));
        EnvoyProcess envoy = EnvoyProcess.start(EnvoyBootstrap.delta(plane.xdsPort()).node("e"))) {
      plane.awaitProgrammed(LUA, 1);
      plane.awaitProgrammed("HTTPProxy/b/taken", 1);
      plane.awaitProgrammed("HTTPProxy/a/misplaced", 1);
      Http http = envoy.http("ingress_http");
      Thread client =
          new Thread(
              () -> {
                while (!stop.get()) {
                  for (String host :
                      List.of("web.a.example", "other.a.example", "taken.a.example")) {
                    Http.Response response = http.get("/").host(host).send();
                    requests.incrementAndGet();
                    if (response.status() != 200
                        || (host.startsWith("web") && !"one".equals(response.header("x-lua")))) {
                      failures.add(host + ": " + response);
                    }
                  }
                }
              });
      client.start();

      plane.down();
      plane.withRules(STRICT).up();
      plane.awaitProgrammed(LUA, 1);
      Plane.await(
          "everything that breaks a rule is listed",
          () -> {
            String problems = problems(plane);
            return problems.contains("team-a/lua.yaml:")
                && problems.contains("Lua code (LuaPerRoute), which the server does not allow")
                && problems.contains("team-b/misplaced.yaml:")
                && problems.contains(
                    "namespace a, which the server does not allow in this directory")
                && problems.contains("team-b/taken.yaml:")
                && problems.contains(
                    "taken.a.example, which the server does not allow in namespace");
          });
      assertThat(plane.items("/api/v1/holds")).isEmpty();
      assertThat(plane.said("HTTPProxy/a/misplaced", "Source").reason()).isEqualTo("Misplaced");

      // Edits of them, and new objects like them, do not get through.
      plane
          .write("team-a/lua.yaml", lua(Lua.mark("two")))
          .write("team-b/misplaced.yaml", host("a/misplaced", "other.a.example", "edited"))
          .write("team-b/taken.yaml", host("b/taken", "taken.a.example", "edited"))
          .write("team-b/squatter.yaml", host("a/later", "later.a.example", "squatter"))
          .write("team-b/more.yaml", host("b/more", "more.a.example", "more"))
          .write("team-b/fine.yaml", host("b/fine", "fine.b.example", "fine"));
      plane.awaitProgrammed("HTTPProxy/b/fine", 1);
      assertThat(plane.awaitSaid(LUA, "Programmed", "Invalid").message())
          .contains("team-a/lua.yaml:", "serving generation 1");
      assertThat(plane.awaitSaid("HTTPProxy/b/taken", "Programmed", "Invalid").message())
          .contains("team-b/taken.yaml:", "serving generation 1");
      assertThat(plane.awaitSaid("HTTPProxy/b/more", "Valid", "ErrorPresent").message())
          .contains("team-b/more.yaml:");
      Plane.await("the squatter is told", () -> problems(plane).contains("team-b/squatter.yaml:"));
      assertThat(plane.object("HTTPProxy/a/later").has("conditions")).isFalse();
      assertThat(body(http, "other.a.example")).isEqualTo("misplaced");
      assertThat(body(http, "taken.a.example")).isEqualTo("taken");

      // The same after one more restart; and whoever may have a name gets it.
      plane.down();
      plane.up();
      plane.write("team-a/later.yaml", host("a/later", "later.a.example", "ours"));
      plane.awaitProgrammed("HTTPProxy/a/later", 1);
      assertThat(body(http, "later.a.example")).isEqualTo("ours");
      assertThat(body(http, "other.a.example")).isEqualTo("misplaced");
      plane.write("team-a/misplaced.yaml", host("a/misplaced", "other.a.example", "at home"));
      Plane.await("it is at home", () -> body(http, "other.a.example").equals("at home"));
      plane.delete("team-b/misplaced.yaml");

      stop.set(true);
      client.join();
      System.out.println(
          "rules became stricter: " + failures.size() + " failed of " + requests + " requests");
      assertThat(failures).isEmpty();
      assertThat(requests.get()).isGreaterThan(100);
    }
  }
}
