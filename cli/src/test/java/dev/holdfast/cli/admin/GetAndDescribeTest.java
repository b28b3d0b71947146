// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.cli.admin;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import dev.holdfast.cli.CapturedOutput;
import dev.holdfast.config.ObjectKey;
import dev.holdfast.server.admin.AdminServer;
import dev.holdfast.server.admin.History;
import dev.holdfast.server.options.ListenAddress;
import dev.holdfast.server.options.ServeOptions;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What is printed of a control plane, asked over a real connection. */
@SuppressWarnings("NullAway.Init") // set by start()
class GetAndDescribeTest {
  private static final String TOKEN = "0123456789abcdef";

  private final CapturedOutput captured = new CapturedOutput();
  private AdminServer server;

  @TempDir Path directory;

  @BeforeEach
  void start() throws Exception {
    server = start("");
  }

  private AdminServer start(String token) throws Exception {
    Instant at = captured.time().now().minus(Duration.ofSeconds(90));
    History.Entry entry =
        new History.Entry(
            7,
            at,
            "REJECTED",
            new ObjectKey("HTTPProxy", "shop", "web"),
            2,
            "",
            "edge-1",
            "bad lua",
            Duration.ofMillis(12));
    return AdminServer.start(
        new ServeOptions.Admin(new ListenAddress("127.0.0.1", 0), token),
        new FixedReports(at),
        query -> List.of(entry),
        "1.2.3");
  }

  @AfterEach
  void stop() {
    server.close();
  }

  @Test
  void objectsFitIntoATable() {
    int exitCode = run("get", "objects");

    assertThat(captured.out())
        .isEqualTo(
            """
            NAMESPACE  KIND       NAME  GEN  SERVED  VALID  PROGRAMMED      PROXIES  MESSAGE
            blog       HTTPProxy  main  2    2       True   True            1/1
            shop       HTTPProxy  main  2    2       True   True            1/1
            shop       HTTPProxy  web   2    1       True   False/Rejected  0/1      bad \\u001b[31mlua
            """);
    assertThat(exitCode).isZero();
  }

  @Test
  void objectsAreFilteredByNameNamespaceAndKind() {
    run("get", "objects", "w*", "-n", "shop", "--kind", "httpproxy", "-o", "json");

    JsonObject json = JsonParser.parseString(captured.out()).getAsJsonObject();
    assertThat(json.getAsJsonArray("items")).hasSize(1);
    assertThat(json.getAsJsonArray("items").get(0).getAsJsonObject().get("name").getAsString())
        .isEqualTo("web");
  }

  @Test
  void patternThatMatchesNothingIsToldAsSuch() {
    assertThat(run("get", "objects", "nob*")).isZero();
    assertThat(captured.out()).isEqualTo("no objects\n");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "nobody|no object named nobody ('holdfast get objects' lists all)",
        "nobody -n shop --kind Ingress|no Ingress named nobody in namespace shop ('holdfast get"
            + " objects' lists all)",
        "HTTPProxy|no object named HTTPProxy (did you mean --kind HTTPProxy?)",
        "--kind Nothing|--kind: Nothing (expected: one of HTTPProxy, TLSCertificateDelegation,"
            + " Ingress, Service, EndpointSlice, Secret, ExtensionPolicy, ExtensionService)",
      })
  void nameOrKindThatDoesNotExistIsAFailure(String arguments, String message) {
    assertThat(run(("get objects " + arguments).split(" "))).isEqualTo(1);
    assertThat(captured.out()).isEmpty();
    assertThat(captured.err()).isEqualTo("holdfast: " + message + "\n");
  }

  @Test
  void everyProblemIsListedWithItsPlace() {
    int exitCode = run("get", "problems");

    assertThat(captured.out())
        .isEqualTo(
            """
            odd.yaml:2:1  SourceProblem, for 1m30s
                not YAML
                HTTPProxy/blog/main stays as it was last read from this file
            HTTPProxy/shop/web  Rejected, serving generation 1, for 1m30s, shop/web.yaml:3:1
                bad \\u001b[31mlua
                web.yaml:3:1: spec: odd
            HTTPProxy/shop/web  Warning, serving generation 1, shop/web.yaml:3:1
                web.yaml:9:1: spec.old: is deprecated
            proxy edge-1  LocalProblem, for 1m30s
                cannot apply listener: port in use
            """);
    assertThat(exitCode).isEqualTo(5);
  }

  @Test
  void withoutProblemsTheExitCodeIsZero() {
    assertThat(run("get", "problems", "-n", "sea")).isZero();
    assertThat(captured.out()).isEqualTo("no problems\n");
  }

  @Test
  void aFileIsListedForTheObjectsThatItAffects() {
    assertThat(run("get", "problems", "main", "-n", "blog", "--kind", "httpproxy")).isEqualTo(5);
    assertThat(captured.out()).startsWith("odd.yaml:2:1  SourceProblem").doesNotContain("shop/web");
  }

  @Test
  void proxiesFitIntoATable() {
    run("get", "proxies", "edge-*");

    assertThat(captured.out())
        .isEqualTo(
            """
            NODE    CLASS         ADDRESS         PROTOCOL  AGE    RESOURCES  STATE     REJECTED
            edge-1  envoy 1.39.0  127.0.0.1:4711  Delta     1m30s  3          rejected  Cluster: bad lua
            """);
  }

  @Test
  void resourcesFitIntoATable() {
    run("get", "resources", "--type", "cluster");

    assertThat(captured.out())
        .isEqualTo(
            """
            TYPE     NAME         VERSION           ACCEPTED  PENDING  REJECTED  OBJECTS
            Cluster  shop/web/80  0123456789abcdef  1         0        1         HTTPProxy/shop/web
            """);
  }

  @Test
  void holdsFitIntoATable() {
    run("get", "holds");

    assertThat(captured.out())
        .isEqualTo(
            """
            NAMESPACE  KIND       NAME  HELD  SERVED  REASON              CLASS         AGE    MESSAGE
            blog       HTTPProxy  main  1     -       DependencyRejected  -             1m30s  refers to HTTPProxy/shop/web, which
                                                                                               was rejected
            shop       HTTPProxy  web   2     1       Rejected            envoy 1.39.0  1m30s  RouteConfiguration/ingress_http: bad
                                                                                               \\u001b[31mlua
            """);
  }

  @Test
  void holdsAreFilteredByNameNamespaceAndKind() {
    run("get", "holds", "w*", "-n", "shop", "--kind", "httpproxy", "-o", "json");

    JsonObject json = JsonParser.parseString(captured.out()).getAsJsonObject();
    assertThat(json.getAsJsonArray("items")).hasSize(1);
    assertThat(json.getAsJsonArray("items").get(0).getAsJsonObject().get("reason").getAsString())
        .isEqualTo("Rejected");
  }

  @Test
  void whereNothingIsHeldThatIsSaid() {
    run("get", "holds", "nobody");

    assertThat(captured.out()).isEqualTo("no holds\n");
  }

  @Test
  void incidentsFitIntoATable() {
    run("get", "incidents");

    assertThat(captured.out())
        .isEqualTo(
            """
            ID  AGE    CLASS         CHANGES  PUSHES  TOOK       CAUSED BY
            3   1m30s  envoy 1.39.0  4        9       searching  -
                RouteConfiguration/ingress_http: bad lua
            2   1m30s  envoy 1.39.0  20       9       12.3s      HTTPProxy/shop/web, HTTPProxy/blog/a
                RouteConfiguration/ingress_http: bad lua
            1   1m30s  envoy 1.39.0  1        9       81ms       HTTPProxy/shop/web
                RouteConfiguration/ingress_http: bad lua
            """);
  }

  @Test
  void oneIncidentIsShownTrialByTrialWithTheEvidence() {
    int exitCode = run("get", "incidents", "1");

    assertThat(captured.out())
        .isEqualTo(
            """
            Incident:    1
            Age:         1m30s
            Class:       envoy 1.39.0
            Resource:    RouteConfiguration/ingress_http
            Error:       bad lua
            Changes:     1
            Pushes:      9
            Took:        81ms

            Trials:
              TRIAL  AFTER  CHANGES  VERDICT  CANARIES
              0      0ms    1        refused  edge-1
              1      12ms   2        open     edge-1, edge-2

            Caused by:
              OBJECT              GENERATION  CLASS         MESSAGE
              HTTPProxy/shop/web  2           envoy 1.39.0  RouteConfiguration/ingress_http: bad lua

            Steps:
              trying 2 changes
              refused
            """);
    assertThat(exitCode).isZero();
  }

  @Test
  void anIncidentThatNobodyRemembersIsAFailure() {
    assertThat(run("get", "incidents", "99")).isEqualTo(1);
    assertThat(captured.err())
        .isEqualTo(
            "holdfast: incident 99: no such incident ('holdfast get incidents' lists all)\n");
    assertThat(run("get", "incidents", "first")).isEqualTo(2);
    assertThat(captured.err()).contains("'first' (expected: a whole number)");
  }

  @Test
  void theStepsOfAnIncidentAreForPrograms() {
    run("get", "incidents", "-o", "yaml");

    assertThat(captured.out())
        .contains(
            """
              steps:
              - trying 2 changes
              - refused
            """);
  }

  @Test
  void yamlSaysWhatJsonDoes() {
    run("get", "resources", "-o", "yaml");

    assertThat(captured.out())
        .isEqualTo(
            """
            items:
            - type: Cluster
              name: shop/web/80
              typeUrl: type.googleapis.com/envoy.config.cluster.v3.Cluster
              version: '0123456789abcdef'
              bytes: 21
              onlyByName: false
              objects:
              - kind: HTTPProxy
                namespace: shop
                name: web
              proxies:
                accepted: 1
                pending: 0
                rejected: 1
            """);
  }

  @Test
  void anObjectIsDescribedPartByPart() {
    int exitCode = run("describe", "httpproxy/web");

    assertThat(captured.out())
        .isEqualTo(
            """
            Kind:        HTTPProxy
            Namespace:   shop
            Name:        web
            Generation:  2, serving 1
            Location:    shop/web.yaml:3:1
            Proxies:     1 in total, 0 programmed, 0 pending, 1 rejected

            Conditions:
              TYPE        STATUS  REASON    GENERATION  AGE    MESSAGE
              Programmed  False   Rejected  2           1m30s  bad \\u001b[31mlua
              Valid       True    Valid     2           1m30s

            Classes:
              CLASS         PROXIES  PROGRAMMED  PENDING  REJECTED
              envoy 1.39.0  1        0           0        1

            Resources:
              Cluster/shop/web/80

            Problems:
              web.yaml:3:1: spec: odd

            Warnings:
              web.yaml:9:1: spec.old: is deprecated

            Not asked through a scout:
              web.yaml:8:1: spec.routes[1]: scout: not asked

            Changes that are not live:
               spec:
              -  a: 1
              +  a: \\u001b[31m2

            History:
              AGE    EVENT     GENERATION  PROXY   TOOK  MESSAGE
              1m30s  REJECTED  2           edge-1  12ms  bad lua
            """);
    assertThat(exitCode).isZero();
  }

  @Test
  void anObjectIsFoundByItsFullNameOrWithItsNamespace() {
    assertThat(run("describe", "HTTPProxy/shop/main", "-o", "json")).isZero();
    assertThat(run("describe", "HTTPProxy/main", "-n", "blog", "-o", "json")).isZero();
    assertThat(captured.err()).isEmpty();
  }

  @Test
  void aNameThatMeansSeveralObjectsIsRefused() {
    int exitCode = run("describe", "HTTPProxy/main");

    assertThat(captured.err())
        .isEqualTo(
            "holdfast: HTTPProxy/main: exists in several namespaces (expected: -n with one of blog,"
                + " shop)\n");
    assertThat(exitCode).isEqualTo(1);
  }

  @Test
  void anObjectThatDoesNotExistIsAFailure() {
    int exitCode = run("describe", "HTTPProxy/shop/nobody");

    assertThat(captured.err())
        .isEqualTo(
            "holdfast: HTTPProxy/shop/nobody: no such object ('holdfast get objects' lists all)\n");
    assertThat(exitCode).isEqualTo(1);
  }

  @Test
  void aServerThatIsNotThereCostsOneLine() {
    server.close();

    int exitCode = run("get", "objects");

    assertThat(captured.err())
        .isEqualTo(
            "holdfast: http://"
                + server.address()
                + " cannot be reached: Connection refused (is 'holdfast serve' running there?"
                + " check --server)\n");
    assertThat(exitCode).isEqualTo(1);
  }

  @Test
  void theServerCanBeInTheEnvironment() {
    int exitCode =
        captured.run(
            Map.of("HOLDFAST_SERVER", "http://" + server.address() + "/"), "get", "proxies");

    assertThat(captured.err()).isEmpty();
    assertThat(exitCode).isZero();
  }

  @Test
  void aTokenIsShownIfThereIsOne() throws Exception {
    stop();
    server = start(TOKEN);
    Path file = Files.writeString(directory.resolve("token"), TOKEN + "\n");

    assertThat(run("get", "objects")).isEqualTo(1);
    assertThat(captured.err())
        .isEqualTo(
            "holdfast: http://"
                + server.address()
                + " requires a token (expected: --token-file FILE, or the token in"
                + " HOLDFAST_TOKEN)\n");
    assertThat(run("get", "objects", "--token-file", file.toString())).isZero();
    assertThat(
            captured.run(
                Map.of("HOLDFAST_TOKEN", TOKEN),
                "get",
                "objects",
                "--server",
                "http://" + server.address()))
        .isZero();
  }

  @Test
  void whatTheServerRefusesIsToldInItsWords() {
    assertThat(run("get", "resources", "--type", "pod")).isEqualTo(1);
    assertThat(captured.err())
        .contains(" returned an error: type: pod (expected: one of Cluster, ");
  }

  private int run(String... arguments) {
    List<String> all = new ArrayList<>(List.of(arguments));
    all.addAll(List.of("--server", "http://" + server.address()));
    return captured.run(all.toArray(String[]::new));
  }
}
