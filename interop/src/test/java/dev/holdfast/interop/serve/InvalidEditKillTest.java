// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.interop.serve;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.gson.JsonObject;
import dev.holdfast.interop.Pace;
import dev.holdfast.interop.envoy.Backend;
import dev.holdfast.interop.envoy.EnvoyBootstrap;
import dev.holdfast.interop.envoy.EnvoyProcess;
import dev.holdfast.interop.envoy.Http;
import dev.holdfast.interop.envoy.Tls;
import dev.holdfast.testkit.TestCa;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.SplittableRandom;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Several mistakes are written at once, and the server is killed at some moment of finding them:
 * every host is answered as before, all the time. {@code -Dholdfast.kills=50} makes more of it.
 */
class InvalidEditKillTest {
  private static final int ROUNDS = Integer.getInteger("holdfast.kills", 6);
  private static final long SEED = Long.getLong("holdfast.seed", 1);
  private static final int LONGEST_WAIT_MILLIS = 500;
  private static final int PLAIN = 4;
  private static final TestCa CA = TestCa.create("authority");

  @TempDir Path root;

  @Test
  void noHostIsAnsweredOtherwise() throws Exception {
    SplittableRandom random = new SplittableRandom(SEED);
    try (Backend one = Backend.start("one");
        PlaneProcess plane = new PlaneProcess(root)) {
      Files files = new Files(one.port());
      files.good(0).forEach(plane::write);
      plane.up();
      try (EnvoyProcess envoy = EnvoyProcess.start(EnvoyBootstrap.delta(plane.xdsPort()))) {
        awaitMended(plane);
        try (Requests requests = new Requests(envoy, files.answers())) {
          for (int round = 1; round <= ROUNDS; round++) {
            Map<String, String> mistakes = files.mistakes(round);
            mistakes.forEach(plane::write);
            Thread.sleep(random.nextInt(LONGEST_WAIT_MILLIS));
            plane.end("KILL");
            requests.someMore();
            plane.up();
            awaitTold(plane, files.reasons(round));
            requests.someMore();
            files.good(round).forEach(plane::write);
            plane.write("rival.yaml", null);
            awaitMended(plane);
            assertThat(requests.wrong()).as("round %d of seed %d", round, SEED).isEmpty();
          }
          requests.someMore();
          assertThat(requests.wrong()).isEmpty();
          assertThat(envoy.isAlive()).isTrue();
        }
      }
    }
  }

  private static void awaitTold(PlaneProcess plane, Map<String, String> reasons) {
    Map<String, String> told = new LinkedHashMap<>();
    try {
      Plane.await(
          "the mistakes are told",
          () -> {
            SortedMap<String, JsonObject> objects = plane.objects();
            reasons
                .keySet()
                .forEach(key -> told.put(key, PlaneProcess.programmed(objects.get(key))));
            return told.equals(reasons);
          });
    } finally {
      assertThat(told).isEqualTo(reasons);
    }
  }

  private static void awaitMended(PlaneProcess plane) {
    List<String> others = new ArrayList<>();
    try {
      Plane.await(
          "everything is served",
          () -> {
            others.clear();
            plane
                .objects()
                .forEach(
                    (key, object) -> {
                      String said = PlaneProcess.programmed(object);
                      boolean newest =
                          object.get("generation").equals(object.get("servedGeneration"));
                      if (!said.equals("True/Programmed") || !newest || key.endsWith("/rival")) {
                        others.add(key + " " + said);
                      }
                    });
            return others.isEmpty() && plane.items("/api/v1/holds").isEmpty();
          });
    } finally {
      assertThat(others).isEmpty();
    }
  }

  /** The files of a dozen hosts. */
  private record Files(int one) {
    /** All files without a mistake; each round is an edit of all that had one. */
    Map<String, String> good(int round) {
      Map<String, String> files = new LinkedHashMap<>();
      for (int i = 0; i < PLAIN; i++) {
        files.put("plain" + i + ".yaml", host("plain" + i, "single", round));
      }
      files.put("single.yaml", Yaml.service("single", one));
      files.put("shared.yaml", Docs.of(sharedService(round), shared(one, "")));
      for (int i = 0; i < 3; i++) {
        files.put("shared" + i + ".yaml", host("shared" + i, "shared", 0));
      }
      files.put("cert.yaml", Docs.tlsSecret("cert", CA.issue("round " + round)));
      for (int i = 0; i < 2; i++) {
        String name = "secure" + i;
        files.put(name + ".yaml", Docs.secure(name, fqdn(name), "secretName: cert", "single"));
      }
      for (int i = 0; i < 3; i++) {
        String name = "guarded" + i;
        files.put(name + ".yaml", host(name, "single", 0));
        files.put(name + "-guard.yaml", guard(name, "rules: {action: DENY", round));
      }
      return files;
    }

    Map<String, String> mistakes(int round) {
      Map<String, String> files = new LinkedHashMap<>();
      String typo = "plain" + round % PLAIN;
      files.put(typo + ".yaml", host(typo, "single", round).replace("services:", "servces:"));
      files.put(
          "shared.yaml",
          Docs.of(
              sharedService(round).replace("ports:", "prots:"),
              shared(one, ", {addresses: [127.0.0.999]}")));
      files.put(
          "cert.yaml",
          """
          apiVersion: v1
          kind: Secret
          metadata: {name: cert}
          type: kubernetes.io/tls
          stringData: {tls.crt: garbage %d, tls.key: garbage}
          """
              .formatted(round));
      files.put(
          "rival.yaml",
          Docs.proxy(
              "rival",
              "virtualhost: {fqdn: %s}\nroutes: [{directResponsePolicy: {statusCode: 418}}]"
                  .formatted(fqdn("plain" + (round + 1) % PLAIN))));
      String guarded = "guarded" + round % 3;
      files.put(guarded + "-guard.yaml", guard(guarded, "ruels: {action: ALLOW", round));
      return files;
    }

    /** What is to be told of the mistakes of a round. */
    Map<String, String> reasons(int round) {
      return Map.of(
          "HTTPProxy/plain" + round % PLAIN,
          "False/Invalid",
          "Service/shared",
          "False/Invalid",
          "EndpointSlice/shared",
          "False/Invalid",
          "Secret/cert",
          "False/Invalid",
          "HTTPProxy/rival",
          "False/Conflict",
          "ExtensionPolicy/guarded" + round % 3,
          "False/Invalid");
    }

    /** The only good answers, by host. */
    Map<String, String> answers() {
      Map<String, String> answers = new LinkedHashMap<>();
      for (String name : good(0).keySet()) {
        if (name.matches("(plain|shared|secure)\\d\\.yaml")) {
          answers.put(fqdn(name.replace(".yaml", "")), "200 one");
        } else if (name.matches("guarded\\d\\.yaml")) {
          answers.put(fqdn(name.replace(".yaml", "")), "403");
        }
      }
      return answers;
    }

    private static String host(String name, String service, int round) {
      return Yaml.root(
          name,
          fqdn(name),
          "routes: [{services: [{name: %s, port: 80}], timeoutPolicy: {response: %ds}}]"
              .formatted(service, 30 + round));
    }

    private static String sharedService(int round) {
      return Docs.bareService(
          "shared",
          "projectcontour.io/max-connections: \"%d\"".formatted(1000 + round),
          "{name: http, port: 80}");
    }

    private static String shared(int port, String more) {
      return Docs.slice(
          "shared",
          "shared",
          "{name: http, port: %d}".formatted(port),
          "{addresses: [127.0.0.1]}" + more);
    }

    private static String guard(String name, String rules, int round) {
      return Docs.policy(
          name,
          """
          targetRef: {name: %s}
          perRoute:
          - name: envoy.filters.http.rbac
            typedConfig:
              "@type": type.googleapis.com/envoy.extensions.filters.http.rbac.v3.RBACPerRoute
              rbac: {%s, policies: {p%d: {permissions: [{any: true}], principals: [{any: true}]}}}}
          """
              .formatted(name, rules, round));
    }
  }

  private static String fqdn(String name) {
    return name + ".example.com";
  }

  /** Clients that ask for every host in turn, with TLS or without. */
  private static final class Requests implements AutoCloseable {
    private final Map<String, String> answers;
    private final int plain;
    private final int secure;
    private final ConcurrentLinkedQueue<String> wrong = new ConcurrentLinkedQueue<>();
    private final AtomicLong rounds = new AtomicLong();
    private final Thread thread = new Thread(this::run, "requests");
    private volatile boolean stopped;

    Requests(EnvoyProcess envoy, Map<String, String> answers) {
      this.answers = answers;
      this.plain = envoy.http("ingress_http").port();
      this.secure = envoy.http("ingress_https").port();
      answers.forEach(
          (host, answer) -> Plane.await(host + ": " + answer, () -> ask(host).equals(answer)));
      thread.setDaemon(true);
      thread.start();
    }

    private void run() {
      while (!stopped) {
        answers.forEach(
            (host, answer) -> {
              String seen = ask(host);
              if (!seen.equals(answer)) {
                wrong.add(host + " got " + seen);
              }
              Pace.keep();
            });
        rounds.incrementAndGet();
      }
    }

    private String ask(String host) {
      Http http =
          host.startsWith("secure") ? Http.on(secure).with(Tls.sni(host, CA)) : Http.on(plain);
      try {
        Http.Response response = http.get("/").host(host).send();
        return (response.status() + " " + response.backend()).trim();
      } catch (UncheckedIOException e) {
        return e.toString();
      }
    }

    List<String> wrong() {
      return List.copyOf(wrong);
    }

    void someMore() {
      long until = rounds.get() + 3;
      Plane.await("more answers", () -> rounds.get() >= until);
    }

    @Override
    public void close() {
      stopped = true;
      try {
        thread.join(60_000);
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
      }
    }
  }
}
