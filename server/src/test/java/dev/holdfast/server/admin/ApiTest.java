// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.server.admin;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.config.ObjectKey;
import dev.holdfast.controlplane.report.FleetReport;
import dev.holdfast.controlplane.report.ProblemReport;
import dev.holdfast.controlplane.report.StateProblem;
import dev.holdfast.server.SampleReports;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What the admin API says, to the letter: others depend on it. */
class ApiTest {
  private final RunningAdmin admin;

  ApiTest() throws Exception {
    admin = new RunningAdmin();
  }

  @AfterEach
  void stop() {
    admin.close();
  }

  @Test
  void objectsAreListedWithAllTheirFieldsInOrder() throws Exception {
    admin.reports.objects = List.of(SampleReports.shop());

    HttpResponse<String> response = admin.get("/api/v1/objects");

    assertThat(response.statusCode()).isEqualTo(200);
    assertThat(response.headers().firstValue("Content-Type"))
        .contains("application/json; charset=utf-8");
    assertThat(response.body())
        .isEqualTo(
            "{'items':[{'kind':'HTTPProxy','namespace':'shop','name':'web','generation':3,"
                    .replace('\'', '"')
                + "'servedGeneration':2,'state':'held','conditions':[".replace('\'', '"')
                + "{'type':'Programmed','status':'False','reason':'Rejected',".replace('\'', '"')
                + "\"message\":\"envoy-1 said \\\"no\\\"\",\"observedGeneration\":3,"
                + "'lastTransitionTime':'2026-01-02T03:04:05.678Z'},".replace('\'', '"')
                + "{'type':'Valid','status':'True','reason':'Valid','message':'valid',"
                    .replace('\'', '"')
                + "'observedGeneration':3,'lastTransitionTime':'2026-01-02T03:04:05.678Z'}],"
                    .replace('\'', '"')
                + "'proxies':{'total':2,'programmed':1,'pending':0,'rejected':1},"
                    .replace('\'', '"')
                + "'byClass':{'envoy 1.39.0':{'total':2,'programmed':1,'pending':0,'rejected':1}},"
                    .replace('\'', '"')
                + "'resources':[{'type':'RouteConfiguration','name':'ingress_http'}],"
                    .replace('\'', '"')
                + "'problems':['shop.yaml:3:1: spec: odd'],".replace('\'', '"')
                + "'warnings':['shop.yaml:4:1: spec.old: is deprecated'],".replace('\'', '"')
                + "'notProbed':['shop.yaml:5:1: spec.routes[2]: scout: not asked'],'location':''}]}"
                    .replace('\'', '"'));
  }

  @Test
  void problemsAreTold() throws Exception {
    admin.reports.problems =
        List.of(
            ProblemReport.ofSource(
                "odd",
                "shop.yaml:3:1",
                List.of(new ObjectKey("HTTPProxy", "sea", "web")),
                List.of(),
                SampleReports.AT),
            requireNonNull(ProblemReport.of(SampleReports.shop())),
            requireNonNull(ProblemReport.warning(SampleReports.shop())));

    assertThat(admin.get("/api/v1/problems").body())
        .isEqualTo(
            ("{'items':[{'severity':'problem','reason':'SourceProblem','kind':'','namespace':'',"
                    + "'name':'','affected':[{'kind':'HTTPProxy','namespace':'sea','name':'web'}],"
                    + "'proxy':'','generation':0,'servedGeneration':0,"
                    + "'serving':'unknown','message':'odd','details':[],"
                    + "'since':'2026-01-02T03:04:05.678Z','location':'shop.yaml:3:1'},"
                    + "{'severity':'problem','reason':'Rejected','kind':'HTTPProxy',"
                    + "'namespace':'shop','name':'web','affected':[],'proxy':'','generation':3,"
                    + "'servedGeneration':2,'serving':'previous',"
                    + "'message':'envoy-1 said ~no~','details':['shop.yaml:3:1: spec: odd'],"
                    + "'since':'2026-01-02T03:04:05.678Z','location':''},"
                    + "{'severity':'warning','reason':'Warning','kind':'HTTPProxy',"
                    + "'namespace':'shop','name':'web','affected':[],'proxy':'','generation':3,"
                    + "'servedGeneration':2,'serving':'previous',"
                    + "'message':'shop.yaml:4:1: spec.old: is deprecated',"
                    + "'details':['shop.yaml:4:1: spec.old: is deprecated'],"
                    + "'since':null,'location':''}]}")
                .replace('\'', '"')
                .replace("~", "\\\""));
    assertThat(admin.get("/api/v1/problems?namespace=blog").body()).isEqualTo("{\"items\":[]}");
    assertThat(admin.get("/api/v1/problems?namespace=sea").body())
        .contains("'odd'".replace('\'', '"'));
  }

  @Test
  void objectsCanBeFilteredByKindAndNamespace() throws Exception {
    admin.reports.objects = List.of(SampleReports.shop());

    assertThat(admin.json("/api/v1/objects?kind=HTTPProxy&namespace=shop").getAsJsonArray("items"))
        .hasSize(1);
    assertThat(admin.json("/api/v1/objects?kind=Service").getAsJsonArray("items")).isEmpty();
    assertThat(admin.json("/api/v1/objects?namespace=other").getAsJsonArray("items")).isEmpty();
  }

  @Test
  void oneObjectIsFoundByItsName() throws Exception {
    admin.reports.objects = List.of(SampleReports.shop());

    assertThat(admin.json("/api/v1/objects/HTTPProxy/shop/web").get("servedGeneration").getAsInt())
        .isEqualTo(2);
    assertThat(admin.json("/api/v1/objects/HTTPProxy/sh%6Fp/web").get("name").getAsString())
        .isEqualTo("web");
  }

  @Test
  void proxiesAreListedWithTheirStreamsAndTypes() throws Exception {
    admin.reports.proxies = List.of(SampleReports.proxy("envoy-1"));

    assertThat(admin.get("/api/v1/proxies").body())
        .isEqualTo(
            """
            {"items":[{"node":"envoy-1","cluster":"edge","class":"envoy 1.39.0",\
            "agent":"envoy 1.39.0","diverged":null,"streams":[{"id":7,"address":"127.0.0.1:4711",\
            "protocol":"Delta","aggregated":true,"since":"2026-01-02T03:04:05.678Z",\
            "types":[{"type":"Cluster",\
            "typeUrl":"type.googleapis.com/envoy.config.cluster.v3.Cluster","wildcard":true,\
            "names":0,"versionSent":"v2","versionAccepted":"v2","resources":1,\
            "pendingSince":null,"lastError":null,"refusedRemovals":[],"refuses":[]},\
            {"type":"Secret",\
            "typeUrl":"type.googleapis.com/envoy.extensions.transport_sockets.tls.v3.Secret",\
            "wildcard":false,"names":1,"versionSent":"v3","versionAccepted":"","resources":0,\
            "pendingSince":"2026-01-02T03:04:05.678Z","lastError":{"message":"bad key",\
            "at":"2026-01-02T03:04:05.678Z","resources":["shop/tls"],"retryAt":null},\
            "refusedRemovals":[{"resource":"shop/old","message":"too few",\
            "at":"2026-01-02T03:04:05.678Z"}],"refuses":["shop/tls"]}]}]}],"fleets":[]}\
            """);
  }

  @Test
  void theFleetsThatAreExpectedAreListedBesideTheProxies() throws Exception {
    admin.reports.fleets =
        List.of(
            new FleetReport("all", 2, 2, null),
            new FleetReport("edge", 2, 1, Instant.parse("2026-01-02T03:04:05.678Z")));
    String fleets =
        "\"fleets\":[{\"name\":\"all\",\"expected\":2,\"connected\":2,\"missingSince\":null},"
            + "{\"name\":\"edge\",\"expected\":2,\"connected\":1,"
            + "\"missingSince\":\"2026-01-02T03:04:05.678Z\"}]";

    assertThat(admin.get("/api/v1/proxies").body()).isEqualTo("{\"items\":[]," + fleets + "}");
    assertThat(admin.get("/api/v1/summary").body()).contains(fleets);
    assertThat(admin.get("/metrics").body())
        .contains(
            "holdfast_fleet_proxies{fleet=\"edge\"} 1\n",
            "holdfast_fleet_proxies_expected{fleet=\"edge\"} 2\n");
  }

  @Test
  void aProxyThatDivergedSaysSinceWhenAndWhy() throws Exception {
    admin.reports.proxies = List.of(SampleReports.diverged("envoy-1"));

    assertThat(admin.get("/api/v1/proxies").body())
        .contains(
            "\"diverged\":{\"since\":\"2026-01-02T03:04:05.678Z\",\"message\":\"regex too big\"}");
  }

  @Test
  void resourcesAreListedWithoutTheirBodies() throws Exception {
    admin.reports.resources =
        List.of(
            SampleReports.cluster("shop/cart/80", List.of("envoy-1")),
            SampleReports.secret(List.of()));

    assertThat(admin.get("/api/v1/resources?type=Cluster").body())
        .matches(
            """
            \\{"items":\\[\\{"type":"Cluster","name":"shop/cart/80",\
            "typeUrl":"type.googleapis.com/envoy.config.cluster.v3.Cluster",\
            "version":"[0-9a-f]{32}","bytes":14,"onlyByName":false,\
            "objects":\\[\\{"kind":"HTTPProxy","namespace":"shop","name":"web"\\}\\],\
            "proxies":\\{"accepted":1,"pending":0,"rejected":0\\}\\}\\]\\}\
            """);
    assertThat(admin.json("/api/v1/resources").getAsJsonArray("items")).hasSize(2);
  }

  @ParameterizedTest
  @CsvSource({
    "Cluster/shop/cart/80",
    "cluster/shop/cart/80",
    "Cluster/shop%2Fcart%2F80",
    "Cluster/shop%2fcart/80",
    "envoy.config.cluster.v3.Cluster/shop/cart/80",
  })
  void aResourceIsFoundByANameWithSlashes(String path) throws Exception {
    admin.reports.resources = List.of(SampleReports.cluster("shop/cart/80", List.of()));

    assertThat(admin.get("/api/v1/resources/" + path).body())
        .endsWith(
            """
            "proxies":{"accepted":0,"pending":0,"rejected":0},"accepted":[],"pending":[],\
            "rejected":[],"clusters":[],"provenance":[{"path":"","object":{"kind":"HTTPProxy",\
            "namespace":"shop","name":"web"},"generation":3,"field":"spec","location":""}],\
            "body":{"name":"shop/cart/80"}}\
            """);
  }

  @Test
  void aPrivateKeyIsNeverShown() throws Exception {
    admin.reports.resources = List.of(SampleReports.secret(List.of("envoy-1")));

    String body = admin.get("/api/v1/resources/Secret/shop/tls").body();

    assertThat(body)
        .doesNotContain("very private")
        .contains("\"privateKey\":{\"inlineString\":\"[redacted]\"}")
        .contains("\"certificateChain\":{\"inlineString\":\"public\"}");
  }

  @Test
  void holdsAreListedWithWhoRefusedThemOrWhatTheyWaitFor() throws Exception {
    admin.reports.holds = List.of(SampleReports.dependentHold(), SampleReports.hold());

    assertThat(admin.get("/api/v1/holds").body())
        .isEqualTo(
            """
            {"items":[{"kind":"ExtensionPolicy","namespace":"blog","name":"lua","generation":1,\
            "servedGeneration":0,"reason":"DependencyRejected","heldFor":"envoy 1.36.0","class":"",\
            "resource":null,"message":"refers to HTTPProxy/shop/web, which was rejected",\
            "cause":{"kind":"HTTPProxy","namespace":"shop","name":"web"},\
            "since":"2026-01-02T03:04:05.678Z"},\
            {"kind":"HTTPProxy","namespace":"shop","name":"web","generation":3,\
            "servedGeneration":2,"reason":"Rejected","heldFor":"","class":"envoy 1.39.0",\
            "resource":{"type":"RouteConfiguration","name":"ingress_http"},\
            "message":"said \\"no\\"","cause":null,"since":"2026-01-02T03:04:05.678Z"}]}\
            """);
  }

  @Test
  void holdsCanBeFilteredByKindAndNamespace() throws Exception {
    admin.reports.holds = List.of(SampleReports.dependentHold(), SampleReports.hold());

    assertThat(admin.json("/api/v1/holds?kind=HTTPProxy&namespace=shop").getAsJsonArray("items"))
        .hasSize(1);
    assertThat(admin.json("/api/v1/holds?kind=HTTPProxy&namespace=blog").getAsJsonArray("items"))
        .isEmpty();
  }

  @Test
  void incidentsAreListedWithTheirStepsAndOffenders() throws Exception {
    admin.reports.incidents =
        List.of(
            SampleReports.incident(2, null),
            SampleReports.incident(1, Duration.ofNanos(12_345_678)));

    assertThat(admin.get("/api/v1/incidents").body())
        .isEqualTo(
            """
            {"items":[{"id":2,"at":"2026-01-02T03:04:05.678Z","class":"envoy 1.39.0",\
            "resource":{"type":"RouteConfiguration","name":"ingress_http"},\
            "message":"said \\"no\\"","changes":20,"pushes":1,\
            "steps":["trying 1 change","refused"],\
            "trials":[{"afterMillis":0.0,"changes":20,"canaries":["edge-1"],"verdict":"refused"},\
            {"afterMillis":7.0,"changes":1,"canaries":["edge-1"],"verdict":"open"}],\
            "offendingObjects":[],"evidence":[],"tookMillis":null},\
            {"id":1,"at":"2026-01-02T03:04:05.678Z","class":"envoy 1.39.0",\
            "resource":{"type":"RouteConfiguration","name":"ingress_http"},\
            "message":"said \\"no\\"","changes":20,"pushes":1,\
            "steps":["trying 1 change","refused"],\
            "trials":[{"afterMillis":0.0,"changes":20,"canaries":["edge-1"],"verdict":"refused"},\
            {"afterMillis":7.0,"changes":1,"canaries":["edge-1"],"verdict":"open"}],\
            "offendingObjects":[{"kind":"HTTPProxy","namespace":"shop","name":"web"}],\
            "evidence":[{"object":{"kind":"HTTPProxy","namespace":"shop","name":"web"},\
            "generation":3,"class":"envoy 1.39.0","agent":"envoy 1.39.0",\
            "resource":{"type":"RouteConfiguration","name":"ingress_http"},\
            "part":"9f86d081","message":"said \\"no\\""}],\
            "tookMillis":12.345}]}\
            """);
  }

  @Test
  void oneIncidentIsFoundByItsId() throws Exception {
    admin.reports.incidents =
        List.of(SampleReports.incident(2, null), SampleReports.incident(1, Duration.ofNanos(1)));

    assertThat(admin.json("/api/v1/incidents/1").get("id").getAsLong()).isEqualTo(1);
    assertThat(admin.get("/api/v1/incidents/3").statusCode()).isEqualTo(404);
    assertThat(admin.get("/api/v1/incidents/x").body()).contains("incident: x: not found");
  }

  @Test
  void onlyWhereOneObjectIsAskedForItIsComparedWithWhatIsServed() throws Exception {
    admin.reports.objects = List.of(SampleReports.shop());

    assertThat(admin.json("/api/v1/objects/HTTPProxy/shop/web").getAsJsonArray("diff").toString())
        .isEqualTo("[\"-a: 1\",\"+a: 2\"]");
    assertThat(admin.get("/api/v1/objects").body()).doesNotContain("diff");
  }

  @Test
  void historyIsPagedAndFiltered() throws Exception {
    admin.past.add(
        new History.Entry(
            9,
            SampleReports.AT,
            "PROGRAMMED",
            SampleReports.SHOP,
            3,
            "",
            "envoy-1",
            "",
            Duration.ofNanos(12_345_678)));
    admin.past.add(
        new History.Entry(8, SampleReports.AT, "SERVER_STARTED", null, 0, "", "", "", null));

    String body = admin.get("/api/v1/history?limit=2&before=10&object=HTTPProxy/shop/web").body();

    assertThat(admin.queries)
        .containsExactly(new History.Query(10, 2, new ObjectKey("HTTPProxy", "shop", "web")));
    assertThat(body)
        .isEqualTo(
            """
            {"items":[{"id":9,"at":"2026-01-02T03:04:05.678Z","kind":"PROGRAMMED",\
            "object":{"kind":"HTTPProxy","namespace":"shop","name":"web"},"generation":3,\
            "resource":"","proxy":"envoy-1","message":"","tookMillis":12.345},\
            {"id":8,"at":"2026-01-02T03:04:05.678Z","kind":"SERVER_STARTED","object":null,\
            "generation":0,"resource":"","proxy":"","message":"","tookMillis":null}]}\
            """);
  }

  @Test
  void historyHasADefaultLimit() throws Exception {
    admin.get("/api/v1/history");

    assertThat(admin.queries).containsExactly(new History.Query(Long.MAX_VALUE, 100, null));
  }

  @Test
  void readinessFollowsTheControlPlane() throws Exception {
    admin.reports.ready = false;
    assertThat(admin.get("/readyz").statusCode()).isEqualTo(503);
    assertThat(admin.get("/healthz").body()).isEqualTo("ok\n");

    admin.reports.ready = true;
    assertThat(admin.get("/readyz").statusCode()).isEqualTo(200);
  }

  @Test
  void thatEditsWaitIsToldEverywhere() throws Exception {
    assertThat(admin.get("/readyz").body()).isEqualTo("ready\n");
    assertThat(admin.get("/metrics").body()).contains("holdfast_state_writable 1\n");

    admin.reports.stateProblem = new StateProblem("no space left", Instant.EPOCH);

    assertThat(admin.get("/readyz").statusCode()).as("proxies are still served").isEqualTo(200);
    assertThat(admin.get("/readyz").body())
        .isEqualTo("ready, but edits wait since 1970-01-01T00:00:00.000Z: no space left\n");
    assertThat(admin.get("/metrics").body()).contains("holdfast_state_writable 0\n");
    assertThat(admin.get("/api/v1/summary").body())
        .endsWith(
            "\"stateProblem\":{\"message\":\"no space left\",\"since\":\"1970-01-01T00:00:00.000Z\"}}");
  }
}
