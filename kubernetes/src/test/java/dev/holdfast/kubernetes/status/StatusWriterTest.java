// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.kubernetes.status;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.base.Env;
import dev.holdfast.base.Loop;
import dev.holdfast.config.Condition;
import dev.holdfast.config.ConditionDetail;
import dev.holdfast.config.ConditionDetail.Severity;
import dev.holdfast.config.Mapping;
import dev.holdfast.config.ObjectKey;
import dev.holdfast.config.ObjectStatus;
import dev.holdfast.config.Position;
import dev.holdfast.kubernetes.FakeApiServer;
import dev.holdfast.kubernetes.api.ApiRequest;
import dev.holdfast.kubernetes.api.ApiResponse;
import dev.holdfast.kubernetes.api.Json;
import dev.holdfast.kubernetes.source.KnownObject;
import dev.holdfast.testkit.ManualExecutor;
import dev.holdfast.testkit.ManualTime;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SplittableRandom;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What is said of an object stands in the cluster, once, and on the object it is about. */
class StatusWriterTest {
  private static final ObjectKey PROXY = new ObjectKey("HTTPProxy", "shop", "front");
  private static final ObjectKey INGRESS = new ObjectKey("Ingress", "shop", "front");
  private static final String NOTHING = "{}";
  private static final String RUNS =
      "{\"loadBalancer\":{},\"conditions\":[{\"type\":\"Other\",\"status\":\"True\"},"
          + "{\"type\":\"Programmed\",\"status\":\"True\",\"observedGeneration\":3,"
          + "\"lastTransitionTime\":\"2030-01-01T00:00:00Z\",\"reason\":\"Programmed\","
          + "\"message\":\"runs\"}]}";

  private final FakeApiServer server = new FakeApiServer();
  private final ManualTime time = new ManualTime();
  private final ManualExecutor executor = new ManualExecutor();
  private final List<Throwable> uncaught = new ArrayList<>();
  private final Loop loop = new Loop(executor, uncaught::add);
  private final Map<ObjectKey, KnownObject> known = new HashMap<>();
  private final List<String> refused = new ArrayList<>();
  private boolean isLeader = true;
  private final StatusWriter writer =
      new StatusWriter(
          server,
          known::get,
          "holdfast-1",
          PublicAddress.parse("service:envoy/envoy"),
          () -> isLeader,
          new StatusWriter.Observer() {
            @Override
            public void refused(ObjectKey key, String reason) {
              refused.add(key + ": " + reason);
            }
          },
          new Env(executor, time, new SplittableRandom(1)),
          loop);

  @BeforeEach
  void objectsAreThere() {
    known(PROXY, "u1", 7, 3, NOTHING);
    known(INGRESS, "u2", 8, 3, NOTHING);
  }

  @AfterEach
  void nothingIsLeft() {
    writer.close();
    executor.runAll();
    assertThat(time.pending()).isEmpty();
    assertThat(uncaught).isEmpty();
  }

  private void known(ObjectKey key, String uid, long version, long generation, String status) {
    known.put(
        key,
        new KnownObject(
            uid,
            Long.toString(version),
            generation,
            generation,
            (Mapping) Json.parse(status, Position.of("test")),
            true));
  }

  private void report(ObjectKey key, Condition... conditions) {
    ObjectStatus status = ObjectStatus.empty();
    for (Condition condition : conditions) {
      status = status.with(condition);
    }
    writer.report(Map.of(key, status));
    executor.runAll();
  }

  private Condition condition(
      String type, Condition.Status status, String reason, String message, long generation) {
    return new Condition(type, status, reason, message, generation, time.now());
  }

  private Condition good(long generation) {
    return condition("Programmed", Condition.Status.TRUE, "Programmed", "runs", generation);
  }

  private Condition bad(long generation) {
    return condition("Programmed", Condition.Status.FALSE, "Rejected", "no", generation);
  }

  private List<ApiRequest> patches() {
    return server.takeRequests("PATCH");
  }

  private List<ApiRequest> events() {
    return server.takeRequests("POST");
  }

  @Test
  void conditionsAreAppliedUnderOurOwnManagerToTheVersionThatTheyAreAbout() {
    report(
        PROXY, good(3), condition("Valid", Condition.Status.TRUE, "Valid", "Valid HTTPProxy", 3));

    ApiRequest patch = patches().get(0);
    assertThat(patch.path())
        .isEqualTo(
            "/apis/projectcontour.io/v1/namespaces/shop/httpproxies/front/status"
                + "?force=true&fieldManager=holdfast");
    assertThat(patch.contentType()).isEqualTo("application/apply-patch+yaml");
    assertThat(patch.body())
        .contains("\"resourceVersion\":\"7\"")
        .contains("\"currentStatus\":\"valid\"", "\"description\":\"Valid HTTPProxy\"")
        .contains(
            "{\"type\":\"Programmed\",\"status\":\"True\",\"observedGeneration\":3,"
                + "\"lastTransitionTime\":\"2030-01-01T00:00:00Z\",\"reason\":\"Programmed\","
                + "\"message\":\"runs\"}");
  }

  @Test
  void anInvalidProxyHasTheErrorsThatUsersOfContourRead() {
    report(
        PROXY,
        bad(3),
        condition("Valid", Condition.Status.FALSE, "ErrorPresent", "spec.routes: none", 3)
            .with(
                List.of(
                    new ConditionDetail(Severity.ERROR, "RouteError", "Required", "none"),
                    new ConditionDetail(Severity.WARNING, "SpecError", "Unsupported", "old"))));
    assertThat(patches().get(0).body())
        .contains("\"currentStatus\":\"invalid\"", "\"description\":\"spec.routes: none\"")
        .contains(
            "\"errors\":[{\"type\":\"RouteError\",\"status\":\"True\",\"reason\":\"Required\","
                + "\"message\":\"none\"}]")
        .contains("\"warnings\":[{\"type\":\"SpecError\"");
  }

  @Test
  void whatStandsThereIsNotWrittenAgain() {
    known(PROXY, "u1", 7, 3, RUNS);
    report(PROXY, good(3));
    assertThat(patches()).isEmpty();

    report(PROXY, bad(3));
    assertThat(patches()).hasSize(1);
  }

  @Test
  void aStatusOfAnEarlierGenerationIsNotWrittenToALaterOne() {
    known(PROXY, "u1", 9, 4, NOTHING);
    report(PROXY, good(3));
    assertThat(patches()).isEmpty();
  }

  @Test
  void aStatusWaitsForTheNewestStateOfItsObject() {
    KnownObject object = known.get(PROXY);
    known.put(
        PROXY,
        new KnownObject("u1", "9", 3, 3, (Mapping) Json.parse("{}", Position.of("test")), false));
    report(PROXY, good(3));
    assertThat(patches()).isEmpty();
    if (object != null) {
      known.put(PROXY, object);
    }
    time.advance(Duration.ofSeconds(1), executor::runAll);
    assertThat(patches()).hasSize(1);
  }

  @Test
  void aConflictIsTriedAgainWithTheVersionThatIsThereThen() {
    server.answer("/status", new ApiResponse(409, "{\"message\":\"modified\"}"));
    report(PROXY, good(3));
    assertThat(patches()).hasSize(1);

    server.answer("/status", null);
    known(PROXY, "u1", 12, 3, NOTHING);
    time.advance(Duration.ofSeconds(1), executor::runAll);
    assertThat(patches()).singleElement().asString().contains("\"resourceVersion\":\"12\"");
  }

  @Test
  void anOutageDelaysAStatusAndTheNewestOneIsWritten() {
    server.goDown();
    report(PROXY, bad(3));
    report(PROXY, good(3));
    time.advance(Duration.ofSeconds(20), executor::runAll);
    assertThat(patches()).hasSizeBetween(3, 8);

    server.comeUp();
    time.advance(Duration.ofSeconds(31), executor::runAll);
    assertThat(patches()).singleElement().asString().contains("runs");
  }

  @Test
  void nothingIsWrittenWhileAnotherReplicaMayLead() {
    isLeader = false;
    report(PROXY, good(3));
    report(INGRESS, bad(3));
    time.advance(Duration.ofSeconds(30), executor::runAll);
    assertThat(server.takeRequests("PATCH", "POST")).isEmpty();

    isLeader = true;
    time.advance(Duration.ofSeconds(1), executor::runAll);
    assertThat(server.takeRequests("PATCH", "POST")).hasSize(2);
  }

  @Test
  void anObjectThatIsGoneIsForgotten() {
    server.answer("/status", new ApiResponse(404, "{}"));
    report(PROXY, good(3));
    time.advance(Duration.ofMinutes(1), executor::runAll);
    assertThat(patches()).hasSize(1);
  }

  @Test
  void aStatusThatTheApiServerDoesNotTakeIsToldAndNotRepeated() {
    server.answer("/status", new ApiResponse(422, "{\"message\":\"no such field\"}"));
    report(PROXY, good(3));
    time.advance(Duration.ofMinutes(1), executor::runAll);
    assertThat(patches()).hasSize(1);
    assertThat(refused).containsExactly("HTTPProxy/shop/front: no such field (HTTP 422)");
  }

  @Test
  void aThousandStatusesAreWrittenAtALimitedRateAndTheBadOnesFirst() {
    Map<ObjectKey, ObjectStatus> all = new LinkedHashMap<>();
    for (int i = 0; i < 1_000; i++) {
      ObjectKey key = new ObjectKey("HTTPProxy", "shop", "p" + i);
      known(key, "u" + i, i + 1, 1, NOTHING);
      all.put(key, ObjectStatus.empty().with(i >= 990 ? bad(1) : good(1)));
    }
    writer.report(all);
    executor.runAll();
    List<ApiRequest> first = patches();
    assertThat(first).hasSizeLessThanOrEqualTo(50);
    assertThat(first.get(0).path()).contains("/p990/");

    time.advance(Duration.ofSeconds(10), executor::runAll);
    assertThat(patches()).hasSizeBetween(400, 550);
    time.advance(Duration.ofSeconds(15), executor::runAll);
    assertThat(patches()).hasSizeLessThan(600);
    assertThat(first.size()).isGreaterThan(10);
  }

  @Test
  void aKindWithoutAStatusHasAnEventWhenItIsHeldAndWhenItIsServedAgain() {
    report(INGRESS, bad(3));
    assertThat(patches()).isEmpty();
    assertThat(events())
        .singleElement()
        .satisfies(
            event -> {
              assertThat(event.path()).isEqualTo("/apis/events.k8s.io/v1/namespaces/shop/events");
              assertThat(event.body())
                  .contains("\"reason\":\"Rejected\"", "\"type\":\"Warning\"", "\"uid\":\"u2\"")
                  .contains("\"eventTime\":\"2030-01-01T00:00:00.000000Z\"");
            });

    report(INGRESS, bad(3));
    assertThat(events()).as("told already").isEmpty();
    report(INGRESS, good(3));
    assertThat(events()).singleElement().asString().contains("\"type\":\"Normal\"");
    report(INGRESS, good(3));
    assertThat(events()).isEmpty();
  }

  @Test
  void anEventThatTheApiServerDoesNotTakeIsTold() {
    server.answer("/events", new ApiResponse(422, "{\"message\":\"bad name\"}"));
    report(INGRESS, bad(3));
    assertThat(refused).containsExactly("Ingress/shop/front: Event: bad name (HTTP 422)");
  }

  @Test
  void textsAreCutAndReasonsCheckedBeforeTheApiServerRefusesThem() {
    report(
        PROXY,
        condition("Programmed", Condition.Status.FALSE, "not a word!", "ä".repeat(40_000), 3));
    String body = patches().get(0).body();
    assertThat(body).contains("\"reason\":\"Other\"").contains("...\"");
    assertThat(body.length()).isLessThan(33_000);
  }

  private void seen(ObjectKey... keys) {
    loop.execute(() -> writer.seen(Set.of(keys)));
    executor.runAll();
  }

  @Test
  void aStatusThatSomebodyElseChangedIsWrittenAgainButNotAllTheTime() {
    report(PROXY, good(3));
    assertThat(patches()).hasSize(1);

    known(PROXY, "u1", 8, 3, NOTHING);
    seen(PROXY);
    assertThat(patches()).hasSize(1);
    for (int i = 9; i < 20; i++) {
      known(PROXY, "u1", i, 3, NOTHING);
      seen(PROXY);
    }
    assertThat(patches()).as("within the half minute").isEmpty();

    time.advance(Duration.ofSeconds(31), executor::runAll);
    assertThat(patches()).hasSize(1);
  }

  @Test
  void ourOwnStatusIsNoReasonToWriteIt() {
    report(PROXY, good(3));
    assertThat(patches()).hasSize(1);
    known(PROXY, "u1", 8, 3, RUNS);
    seen(PROXY);
    time.advance(Duration.ofMinutes(2), executor::runAll);
    assertThat(patches()).isEmpty();
  }

  @Test
  void anObjectThatIsNotOursIsLeftAloneAndOursIsTakenBackFromIt() {
    report(PROXY); // of another class
    assertThat(patches()).isEmpty();

    known(PROXY, "u1", 8, 3, RUNS);
    report(PROXY);
    assertThat(patches())
        .singleElement()
        .satisfies(patch -> assertThat(patch.body()).endsWith("\"status\":{}}"));
  }

  @Test
  void hostsHaveTheAddressOfTheServiceInFrontOfTheProxies() {
    ObjectKey service = new ObjectKey("Service", "envoy", "envoy");
    report(PROXY, good(3));
    report(INGRESS, good(3));
    assertThat(patches()).singleElement().asString().doesNotContain("loadBalancer");

    known(
        service, "u9", 3, 0, "{\"loadBalancer\":{\"ingress\":[{\"ip\":\"203.0.113.7\",\"x\":1}]}}");
    seen(service);
    assertThat(patches())
        .hasSize(2)
        .allSatisfy(
            patch ->
                assertThat(patch.body())
                    .contains("\"loadBalancer\":{\"ingress\":[{\"ip\":\"203.0.113.7\"}]}"));

    known(INGRESS, "u2", 9, 3, "{\"loadBalancer\":{\"ingress\":[{\"ip\":\"203.0.113.7\"}]}}");
    report(INGRESS, good(3));
    assertThat(patches()).isEmpty();
  }
}
