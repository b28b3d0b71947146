// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.interop.docs;

import static dev.holdfast.interop.docs.TroubledShop.HOST;
import static dev.holdfast.interop.docs.TroubledShop.STOREFRONT;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import dev.holdfast.interop.envoy.EnvoyProcess;
import dev.holdfast.interop.envoy.Http;
import dev.holdfast.interop.envoy.Tls;
import dev.holdfast.interop.serve.Docs;
import dev.holdfast.testkit.TestCa;
import java.lang.reflect.Method;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * The symptoms of docs/troubleshooting.md that one Envoy is enough for: each is produced for real,
 * the commands of the page show what the page says, and its cure helps.
 */
class TroubleshootingTest {
  static final String NO_OBJECT = "An object is not in `get objects`";
  static final String NO_EFFECT = "An edit has no effect";
  static final String INVALID = "`VALID` is `False`";
  static final String PROGRAMMED = "`PROGRAMMED` is not `True`";
  static final String ANSWERS = "Envoy answers 404, 421, 503";

  private static final String DIFF = "./holdfast diff HTTPProxy/shop/storefront";

  /** The only section that is about no symptom. */
  private static final String MORE = "More information";

  private static final List<Class<?>> CLASSES =
      List.of(
          TroubleshootingTest.class,
          TroubleshootingServerTest.class,
          TroubleshootingFleetTest.class,
          TroubleshootingGrpcTest.class);

  /** Takes RE2 more instructions than Envoy allows for. */
  static final String TOO_BIG = "/[a-z0-9]{1,200}/x";

  @TempDir static Path place;

  @SuppressWarnings("NullAway.Init")
  private static TroubledShop shop;

  @BeforeAll
  static void open() throws Exception {
    shop = TroubledShop.open(place);
    try {
      shop.join("edge-1");
      shop.answers(HOST, "/", 200);
    } catch (RuntimeException | Error e) { // skipped, if there is no Envoy
      shop.close();
      throw e;
    }
  }

  @AfterEach
  void mend() throws Exception {
    shop.mend();
    TroubledShop.eventually(
        "all is well",
        () -> {
          String problems = text(() -> shop.output("./holdfast get problems"));
          if (problems.contains("NotConfirmed")) { // deletions of several scenes count together
            text(() -> shop.output("./holdfast confirm"));
          }
          assertThat(problems).isEqualTo("no problems");
          return problems;
        });
  }

  @AfterAll
  static void close() {
    if (shop != null) {
      shop.close();
    }
  }

  static String text(java.util.concurrent.Callable<String> call) {
    try {
      return call.call();
    } catch (Exception e) {
      throw new AssertionError(e);
    }
  }

  static String host(String name, String spec) {
    return Docs.proxy(
        "shop/" + name, "virtualhost: {fqdn: %s.example.com}\n%s\n".formatted(name, spec));
  }

  static String host(String name) {
    return host(name, "routes: [{services: [{name: web, port: 80}]}]");
  }

  static String refused(String name) {
    return host(
        name,
        "routes: [{conditions: [{regex: \"%s\"}], services: [{name: web, port: 80}]}]"
            .formatted(TOO_BIG));
  }

  /** A Lua script for all routes of an HTTPProxy. */
  static String script(String name, String target, String script) {
    return Docs.policy(
        "shop/" + name,
        """
        targetRef: {name: %s}
        perRoute:
        - name: envoy.filters.http.lua
          typedConfig:
            "@type": type.googleapis.com/envoy.extensions.filters.http.lua.v3.LuaPerRoute
            source_code: {inline_string: '%s'}
        """
            .formatted(target, script));
  }

  @Test
  void everySymptomOfThePageHasAScene() {
    List<String> wanted = new ArrayList<>();
    for (Section section : TroubledShop.sections()) {
      if (!section.heading().equals(MORE)) {
        wanted.add(section.heading());
        section.rows().forEach(row -> wanted.add(section.heading() + " | " + row));
      }
    }
    List<String> scenes = new ArrayList<>();
    for (Class<?> tests : CLASSES) {
      for (Method method : tests.getDeclaredMethods()) {
        for (Symptom symptom : method.getAnnotationsByType(Symptom.class)) {
          assertThat(method.isAnnotationPresent(Test.class)).as(method.toString()).isTrue();
          scenes.add(symptom.value() + (symptom.row().isEmpty() ? "" : " | " + symptom.row()));
        }
      }
    }

    assertThat(scenes).containsExactlyInAnyOrderElementsOf(wanted);
  }

  @Test
  @Symptom(NO_OBJECT)
  @Symptom(value = NO_OBJECT, row = "`SourceProblem` at the place of the object in its file")
  void anObjectIsNewAndItsFileCannotBeRead() {
    shop.write("new.yaml", host("unread") + "\n  : [");
    TroubledShop.Reader reader = shop.reads(NO_OBJECT);

    reader
        .reads("`not YAML`")
        .sees("./holdfast get problems", "new.yaml:", "SourceProblem", "not YAML");
    assertThat(reader.sees("./holdfast get objects", "storefront"))
        .doesNotContain("HTTPProxy unread");
    reader.isDone();

    shop.write("new.yaml", host("unread"));
    reader.sees("./holdfast get objects", "HTTPProxy unread 1 1 True True");
    shop.answers("unread.example.com", "/", 200);
  }

  @Test
  @Symptom(value = NO_OBJECT, row = "nothing")
  void anObjectIsInAFileThatIsNotRead() throws Exception {
    shop.write("new.yaml.txt", host("misplaced"));
    TroubledShop.Reader reader = shop.reads(NO_OBJECT);

    reader.reads("does not end in `.yaml`").sees("./holdfast get problems", "no problems");
    assertThat(reader.sees("./holdfast get objects", "storefront"))
        .doesNotContain("HTTPProxy misplaced");

    Files.move(shop.objects().resolve("new.yaml.txt"), shop.objects().resolve("new.yaml"));
    reader.sees("./holdfast get objects", "HTTPProxy misplaced 1 1 True True");
    shop.answers("misplaced.example.com", "/", 200);
  }

  @Test
  @Symptom(NO_EFFECT)
  @Symptom(value = NO_EFFECT, row = "`SourceProblem` and `stays as it was last read`")
  void theFileOfAnEditCannotBeRead() throws Exception {
    shop.write(STOREFRONT, shop.original(STOREFRONT) + "\n  : [");
    TroubledShop.Reader reader = shop.reads(NO_EFFECT);

    reader.sees(
        "./holdfast get problems",
        STOREFRONT,
        "SourceProblem",
        "HTTPProxy/shop/storefront stays as it was last read");
    reader.sees(DIFF, "and not what is written", "not YAML");
    reader.reads("`diff` exits with code 5").exits(DIFF, 5);
    assertThat(shop.ask(HOST, "/").status()).isEqualTo(200);
    reader.isDone();

    shop.write(STOREFRONT, shop.original(STOREFRONT));
    reader.sees("./holdfast get problems", "no problems");
  }

  @Test
  @Symptom(value = NO_EFFECT, row = "`SourceProblem` and `is defined twice`")
  void anObjectIsInTwoFiles() {
    shop.write(
        "00-copy.yaml", shop.original(STOREFRONT).replace("shop.example.com", "copy.example.com"));
    TroubledShop.Reader reader = shop.reads(NO_EFFECT);

    reader
        .reads("the message names both")
        .sees(
            "./holdfast get problems",
            "00-copy.yaml:",
            "SourceProblem",
            "is defined twice",
            STOREFRONT + ":");
    assertThat(shop.ask(HOST, "/").status()).isEqualTo(200);
    assertThat(shop.ask("copy.example.com", "/").status()).isEqualTo(404);

    shop.delete(STOREFRONT); // one of the two
    shop.answers("copy.example.com", "/", 200);
    reader.sees("./holdfast get problems", "no problems");
  }

  @Test
  @Symptom(value = NO_EFFECT, row = "`StateNotWritable`")
  void theDiskOfTheStateIsFull() throws Exception {
    assumeThat(Path.of("/usr/bin/prlimit")).isExecutable();
    TroubledShop.Reader reader = shop.reads(NO_EFFECT);
    limit("1");
    try {
      shop.write("new.yaml", host("waiting"));
      reader.sees("./holdfast get problems", "StateNotWritable", "edits wait");
      reader.reads("`/readyz` says since when");
      assertThat(shop.output("curl -s http://127.0.0.1:19000/readyz")).contains("edits wait since");
      assertThat(shop.ask(HOST, "/").status()).isEqualTo(200);
      assertThat(shop.ask("waiting.example.com", "/").status()).isEqualTo(404);
    } finally {
      limit("unlimited");
    }
    shop.answers("waiting.example.com", "/", 200); // no restart is needed
    reader.sees("./holdfast get problems", "no problems");
  }

  private static void limit(String bytes) throws Exception {
    Process process =
        new ProcessBuilder(
                "/usr/bin/prlimit",
                "--pid",
                Long.toString(shop.serverPid()),
                "--fsize=" + bytes + ":unlimited")
            .inheritIO()
            .start();
    assertThat(process.waitFor()).isZero();
  }

  @Test
  @Symptom(value = NO_EFFECT, row = "the object, with a reason such as `Invalid` or `Rejected`")
  void theEditIsHeld() throws Exception {
    shop.edit(STOREFRONT, "response: 5s", "response: 5 sec");
    TroubledShop.Reader reader = shop.reads(NO_EFFECT);

    reader.sees("./holdfast get problems", "HTTPProxy/shop/storefront Invalid, serving generation");
    reader.sees(DIFF, "response: \"5 sec\"");
    reader.exits(DIFF, 5);
    assertThat(shop.ask(HOST, "/").status()).isEqualTo(200);
  }

  @Test
  @Symptom(value = NO_EFFECT, row = "nothing, and `diff` shows `no difference`")
  void theFileIsNotTheOneThatIsServed() throws Exception {
    Path other = Files.createDirectories(shop.directory().resolve("other"));
    Files.writeString(
        other.resolve(STOREFRONT), shop.original(STOREFRONT).replace("idle: 1m", "idle: 2m"));
    TroubledShop.Reader reader = shop.reads(NO_EFFECT);

    reader.sees("./holdfast get problems", "no problems");
    reader.sees(DIFF, "no difference");
    reader.exits(DIFF, 0);
    reader.reads("`Location`");
    assertThat(shop.output("./holdfast describe HTTPProxy/shop/storefront"))
        .contains("Location: examples/shop/storefront.yaml");
  }

  @Test
  @Symptom("Deleted objects are still served")
  void aDirectoryWasEmptied() {
    for (int i = 0; i < 12; i++) {
      shop.write("h" + i + ".yaml", host("h" + i));
    }
    shop.answers("h11.example.com", "/", 200);
    shop.answers("h0.example.com", "/", 200);
    TroubledShop.eventually(
        "all are served",
        () -> {
          String objects = text(() -> shop.output("./holdfast get objects 'h*' --kind HTTPProxy"));
          assertThat(objects.split("True True 1/1", -1)).hasSize(13);
          return objects;
        });
    for (int i = 0; i < 12; i++) {
      shop.delete("h" + i + ".yaml");
    }
    TroubledShop.Reader reader = shop.reads("Deleted objects are still served");

    reader.sees("./holdfast get deletions", "HTTPProxy h0", "HTTPProxy h11", "still served");
    reader.reads("`NotConfirmed`").sees("./holdfast get problems", "NotConfirmed");
    assertThat(shop.ask("h11.example.com", "/").status()).isEqualTo(200);
    reader.isDone();

    shop.write("h0.yaml", host("h0")); // some are put back, all others are confirmed
    for (int i = 1; i < 12; i++) {
      shop.write("h" + i + ".yaml", host("h" + i));
    }
    reader.sees("./holdfast get deletions", "no deletion waits");
    assertThat(shop.ask("h11.example.com", "/").status()).isEqualTo(200);
    for (int i = 0; i < 12; i++) {
      shop.delete("h" + i + ".yaml");
    }
    reader.sees("./holdfast get deletions", "still served");
    reader.sees("./holdfast confirm", "12 hosts are no longer served");
    shop.answers("h11.example.com", "/", 404);
  }

  @Test
  @Symptom(INVALID)
  @Symptom(value = PROGRAMMED, row = "`False/Invalid`")
  void anEditHasATypo() {
    shop.edit(STOREFRONT, "response: 5s", "response: 5 sec");
    TroubledShop.Reader reader = shop.reads(INVALID);

    shop.reads(PROGRAMMED)
        .reads("the last good one is served")
        .sees("./holdfast get objects", "HTTPProxy storefront", "False False/Invalid");
    reader
        .reads("file, line and field")
        .reads("`serving generation`")
        .sees(
            "./holdfast describe HTTPProxy/shop/storefront",
            "Valid False",
            "examples/shop/storefront.yaml:",
            "spec.routes[1].timeoutPolicy.response: \"5 sec\"",
            "serving generation");
    assertThat(shop.ask(HOST, "/").status()).isEqualTo(200);
    reader.isDone();

    shop.edit(STOREFRONT, "response: 5s", "response: 6s");
    reader.sees("./holdfast describe HTTPProxy/shop/storefront", "Valid True", "Programmed True");

    // Of a new object, what can be served is.
    reader.reads("`served, but not all of it`");
    shop.write(
        "new.yaml",
        host(
            "partial",
            "routes: [{services: [{name: web, port: 80}]},"
                + " {conditions: [{prefix: /x}], services: [{name: nowhere, port: 80}]}]"));
    shop.answers("partial.example.com", "/", 200);
    shop.reads(PROGRAMMED)
        .reads("or this one in part")
        .sees("./holdfast get problems", "Invalid, serving part", "served, but not all of it");
  }

  @Test
  @Symptom(value = PROGRAMMED, row = "`False/InvalidNew`")
  void aNewObjectHasATypo() {
    shop.write("new.yaml", host("typo", "rotues: []"));
    TroubledShop.Reader reader = shop.reads(PROGRAMMED);

    reader.sees("./holdfast get objects", "HTTPProxy typo 1 - False False/InvalidNew");
    assertThat(shop.ask("typo.example.com", "/").status()).isEqualTo(404);

    shop.write("new.yaml", host("typo"));
    reader.sees("./holdfast get objects", "HTTPProxy typo 2 2 True True");
    shop.answers("typo.example.com", "/", 200);
  }

  @Test
  @Symptom(PROGRAMMED)
  @Symptom(value = PROGRAMMED, row = "`False/Rejected`")
  @Symptom(value = PROGRAMMED, row = "`False/RejectedNew`")
  void aProxyRejects() {
    shop.write("new.yaml", host("good"));
    shop.answers("good.example.com", "/", 200);
    shop.write("new.yaml", refused("good"));
    shop.write("bad.yaml", refused("bad"));
    TroubledShop.Reader reader = shop.reads(PROGRAMMED);

    reader.sees(
        "./holdfast get objects",
        "HTTPProxy good 2 1 True False/Rejected",
        "HTTPProxy bad 1 - True False/RejectedNew");
    reader.sees(
        "./holdfast get problems", "RE2 program size", "serving generation 1", "nothing is served");
    assertThat(shop.ask("good.example.com", "/").status()).isEqualTo(200);
    assertThat(shop.ask("bad.example.com", "/").status()).isEqualTo(404);
    reader.isDone();

    shop.write("new.yaml", host("good"));
    shop.write("bad.yaml", host("bad"));
    shop.answers("bad.example.com", "/", 200);
    reader.sees("./holdfast get objects", "HTTPProxy good 3 3 True True", "HTTPProxy bad 2 2 True");
  }

  @Test
  @Symptom(value = PROGRAMMED, row = "`False/Conflict`")
  void anotherObjectHasTheHost() {
    shop.write("rival.yaml", host("rival").replace("rival.example.com", HOST));
    TroubledShop.Reader reader = shop.reads(PROGRAMMED);

    reader
        .reads("the message names it and its file")
        .sees("./holdfast get objects", "HTTPProxy rival 1 - False False/Conflict", STOREFRONT);
    assertThat(shop.ask(HOST, "/health").body()).contains("ok");

    shop.write("rival.yaml", host("rival"));
    shop.answers("rival.example.com", "/", 200);
    reader.sees("./holdfast get objects", "HTTPProxy rival 2 2 True True");
  }

  @Test
  @Symptom(value = PROGRAMMED, row = "`False/DependencyRejected`")
  void aNewHostHasAPolicyThatIsRejected() {
    shop.write("new.yaml", Docs.of(host("guarded"), script("guard", "guarded", "function (")));
    TroubledShop.Reader reader = shop.reads(PROGRAMMED);

    reader.sees(
        "./holdfast get objects",
        "HTTPProxy guarded 1 - True False/DependencyRejected",
        "waits for ExtensionPolicy/shop/guard");
    assertThat(shop.ask("guarded.example.com", "/").status()).isEqualTo(404);

    shop.write(
        "new.yaml",
        Docs.of(host("guarded"), script("guard", "guarded", "function envoy_on_request(h) end")));
    shop.answers("guarded.example.com", "/", 200);
    reader.sees("./holdfast get objects", "HTTPProxy guarded 1 1 True True");
  }

  @Test
  @Symptom(value = PROGRAMMED, row = "`False/NotReferenced`")
  void nobodyNeedsAnObject() {
    shop.write(
        "new.yaml",
        Docs.of(
            host(
                "foreign",
                "ingressClassName: other\nroutes: [{services: [{name: web, port: 80}]}]"),
            Docs.proxy("shop/orphan", "routes: [{services: [{name: web, port: 80}]}]\n")));
    TroubledShop.Reader reader = shop.reads(PROGRAMMED);

    reader.sees(
        "./holdfast get objects",
        "HTTPProxy foreign 1 - True False/NotReferenced",
        "belongs to another ingress class",
        "HTTPProxy orphan 1 - True False/NotReferenced",
        "no served root HTTPProxy includes this object");
    reader.reads("`get problems` does not list it").sees("./holdfast get problems", "no problems");
    assertThat(shop.ask("foreign.example.com", "/").status()).isEqualTo(404);

    shop.write(
        "new.yaml",
        Docs.of(
            host("foreign", "includes: [{name: orphan}]"),
            Docs.proxy("shop/orphan", "routes: [{services: [{name: web, port: 80}]}]\n")));
    shop.answers("foreign.example.com", "/", 200);
    reader.sees(
        "./holdfast get objects", "HTTPProxy foreign 2 2 True True", "orphan 1 1 True True");
  }

  @Test
  @Symptom("Proxies reject many unrelated objects")
  void theProxyIsTheCause() {
    shop.write("a.yaml", refused("a"));
    shop.write("b.yaml", refused("b"));
    TroubledShop.Reader reader = shop.reads("Proxies reject many unrelated objects");

    reader
        .reads("have the same error")
        .sees("./holdfast get incidents", "HTTPProxy/shop/a", "max program size");
    reader.sees("./holdfast get holds", "HTTPProxy a 1", "HTTPProxy b 1", "max program size");
    reader.isDone();

    // The setting of this proxy was the cause.
    reader.reads("another runtime setting");
    shop.leave("edge-1");
    shop.join(shop.bootstrap("edge-1").runtime("re2.max_program_size.error_level", 100_000));
    reader.reads("[`retry`]");
    shop.answers(HOST, "/", 200);
    for (String name : List.of("a", "b")) {
      text(() -> shop.output("./holdfast retry HTTPProxy/shop/" + name));
      TroubledShop.eventually(
          name,
          () -> {
            assertThat(shop.ask(name + ".example.com", "/ab/x").status()).isEqualTo(200);
            return name;
          });
    }
    shop.delete("a.yaml");
    shop.delete("b.yaml");
    shop.leave("edge-1");
    shop.join("edge-1");
  }

  @Test
  @Symptom(ANSWERS)
  @Symptom(value = ANSWERS, row = "404")
  void aHostIsNotServed() {
    shop.answers("nobody.example.com", "/", 404);
    TroubledShop.Reader reader = shop.reads(ANSWERS);
    assertThat(reader.sees("./holdfast get objects", "storefront")).doesNotContain("nobody");

    shop.write("nobody.yaml", host("nobody"));
    shop.answers("nobody.example.com", "/", 200);
    reader.isDone();
  }

  @Test
  @Symptom(value = ANSWERS, row = "421")
  void aConnectionIsUsedForAnotherHost() {
    TestCa ca = TestCa.create("authority");
    shop.write(
        "tls.yaml",
        Docs.of(
            Docs.tlsSecret("shop/cert", ca.issue("server")),
            Docs.secure("shop/one", "one.example.com", "secretName: cert", "web"),
            Docs.secure("shop/two", "two.example.com", "secretName: cert", "web")));
    EnvoyProcess envoy = shop.envoy();
    Http https = envoy.http("ingress_https").with(Tls.sni("one.example.com", ca));
    TroubledShop.eventually(
        "TLS",
        () -> {
          assertThat(https.get("/").host("one.example.com").send().status()).isEqualTo(200);
          return https;
        });

    assertThat(https.get("/").host("two.example.com").send().status()).isEqualTo(421);
    shop.reads(ANSWERS).reads("one connection per host");
    Http two = envoy.http("ingress_https").with(Tls.sni("two.example.com", ca));
    assertThat(two.get("/").host("two.example.com").send().status()).isEqualTo(200);
  }

  @Test
  @Symptom(value = ANSWERS, row = "503 with an empty body")
  void aServiceDoesNotExist() {
    shop.write("new.yaml", host("lonely", "routes: [{services: [{name: nowhere, port: 80}]}]"));
    TroubledShop.Reader reader = shop.reads(ANSWERS);

    assertThat(shop.answers("lonely.example.com", "/", 503)).isEmpty();
    reader.sees("./holdfast get problems", "Invalid", "Service/shop/nowhere does not exist");

    shop.write("new.yaml", host("lonely"));
    shop.answers("lonely.example.com", "/", 200);
  }

  @Test
  @Symptom(value = ANSWERS, row = "503, `no healthy upstream`")
  void aServiceHasNoEndpoints() {
    String service = Docs.bareService("shop/late", "", "{name: http, port: 80}");
    String route = host("endless", "routes: [{services: [{name: late, port: 80}]}]");
    shop.write("new.yaml", Docs.of(route, service, slice("lat")));
    TroubledShop.Reader reader = shop.reads(ANSWERS);

    assertThat(shop.answers("endless.example.com", "/", 503)).isEqualTo("no healthy upstream");
    reader.sees(
        "./holdfast get objects --kind EndpointSlice",
        "EndpointSlice late-1",
        "True False/NotReferenced");

    shop.write("new.yaml", Docs.of(route, service, slice("late")));
    shop.answers("endless.example.com", "/", 200);
  }

  private static String slice(String service) {
    return Docs.slice(
        "shop/late-1",
        service,
        "{name: http, port: %d}".formatted(shop.backend().port()),
        "{addresses: [127.0.0.1]}");
  }

  @Test
  @Symptom(value = ANSWERS, row = "503, `upstream connect error`")
  void nothingListensAtAnEndpoint() {
    String service = Docs.bareService("shop/late", "", "{name: http, port: 80}");
    String route = host("silent", "routes: [{services: [{name: late, port: 80}]}]");
    shop.write(
        "new.yaml",
        Docs.of(
            route,
            service,
            Docs.slice(
                "shop/late-1", "late", "{name: http, port: 1}", "{addresses: [127.0.0.1]}")));

    assertThat(shop.answers("silent.example.com", "/", 503)).startsWith("upstream connect error");
    shop.reads(ANSWERS).reads("correct the address in the EndpointSlice");

    shop.write("new.yaml", Docs.of(route, service, slice("late")));
    shop.answers("silent.example.com", "/", 200);
  }

  @Test
  @Symptom(value = ANSWERS, row = "503 for every path of a host")
  void anAuthorPrefersNoAnswerToAnOldOne() {
    shop.write(
        STOREFRONT,
        shop.original(STOREFRONT)
            .replace(
                "  namespace: shop\n",
                "  namespace: shop\n  annotations: {holdfast.dev/on-reject: respond-503}\n")
            .replace("response: 5s", "response: 5 sec"));
    TroubledShop.Reader reader = shop.reads(ANSWERS);

    shop.answers(HOST, "/", 503);
    assertThat(shop.ask(HOST, "/api/cart").status()).isEqualTo(503);
    reader.sees("./holdfast get problems", "holdfast.dev/on-reject", "nothing is served");
  }

  @Test
  @Symptom(value = ANSWERS, row = "the answer lacks what a Lua script should have done")
  void aScriptFailsAtRunTime() {
    shop.write(
        "lua.yaml",
        script(
            "greeting",
            "storefront",
            "function envoy_on_response(h) h:nosuch() h:headers():add(\"x-greeting\", \"hi\") end"));
    shop.reads(ANSWERS).reads("`script log`");
    TroubledShop.eventually(
        "the script runs",
        () -> {
          assertThat(shop.ask(HOST, "/").status()).isEqualTo(200);
          assertThat(shop.envoy().log()).anyMatch(line -> line.contains("script log"));
          return "";
        });
    assertThat(shop.ask(HOST, "/").headers("x-greeting")).isEmpty();

    shop.write(
        "lua.yaml",
        script(
            "greeting",
            "storefront",
            "function envoy_on_response(h) h:headers():add(\"x-greeting\", \"hi\") end"));
    TroubledShop.eventually(
        "the script works",
        () -> {
          assertThat(shop.ask(HOST, "/").headers("x-greeting")).containsExactly("hi");
          return "";
        });
  }

  @Test
  @Symptom("An edit takes long")
  void theHistoryHasTheTimes() {
    shop.edit(STOREFRONT, "idle: 1m", "idle: 2m");
    TroubledShop.Reader reader = shop.reads("An edit takes long");

    reader.sees(
        "curl -s 'http://127.0.0.1:19000/api/v1/history?limit=5'",
        "\"kind\":\"PROGRAMMED\"",
        "\"tookMillis\":");
    reader.isDone();
  }
}
