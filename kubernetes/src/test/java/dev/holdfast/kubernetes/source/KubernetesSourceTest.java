// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.kubernetes.source;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.base.Env;
import dev.holdfast.base.Loop;
import dev.holdfast.config.ConfigObject;
import dev.holdfast.config.Generations;
import dev.holdfast.config.LocatedProblem;
import dev.holdfast.config.ObjectChanges;
import dev.holdfast.config.ObjectKey;
import dev.holdfast.config.SourceNote;
import dev.holdfast.kubernetes.FakeApiServer;
import dev.holdfast.kubernetes.api.ApiResponse;
import dev.holdfast.testkit.ManualExecutor;
import dev.holdfast.testkit.ManualTime;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.TreeMap;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** What a cluster holds reaches the listener, whatever the API server does. */
class KubernetesSourceTest {
  private static final ObjectKey WEB = new ObjectKey("Service", "shop", "web");
  private static final ObjectKey PROXY = new ObjectKey("HTTPProxy", "shop", "front");
  private static final ApiResponse NOT_FOUND = new ApiResponse(404, "404 page not found");
  private static final ApiResponse FORBIDDEN =
      new ApiResponse(403, "{\"message\":\"secrets is forbidden: User holdfast cannot list\"}");

  private final FakeApiServer server = new FakeApiServer();
  private final ManualTime time = new ManualTime();
  private final ManualExecutor executor = new ManualExecutor();
  private final List<Throwable> uncaught = new ArrayList<>();
  private final Loop loop = new Loop(executor, uncaught::add);
  private final Env env = new Env(executor, time, new SplittableRandom(1));
  private final List<ObjectChanges> reports = new ArrayList<>();
  private final Map<ObjectKey, ConfigObject> objects = new TreeMap<>();
  private KubernetesSource source = source(Generations.inMemory());

  private KubernetesSource source(Generations generations) {
    return new KubernetesSource(server, Set.of(), generations, seen -> {}, env, loop);
  }

  private void start() {
    source.start(
        changes -> {
          reports.add(changes);
          objects.putAll(changes.added());
          objects.putAll(changes.changed());
          objects.keySet().removeAll(changes.removed());
        });
    executor.runAll();
  }

  private void advance(Duration by) {
    executor.runAll();
    time.advance(by, executor::runAll);
  }

  private ObjectChanges last() {
    return reports.get(reports.size() - 1);
  }

  private long generation(ObjectKey key) {
    return requireNonNull(objects.get(key)).generation();
  }

  private List<String> problems() {
    return last().problems().stream().map(LocatedProblem::toString).toList();
  }

  private void service(String name, int port) {
    server.put("services", name, "", ",\"spec\":{\"ports\":[{\"port\":" + port + "}]}");
    executor.runAll();
  }

  private void proxy(int generation, String fqdn) {
    server.put(
        "httpproxies",
        "front",
        ",\"generation\":" + generation,
        ",\"spec\":{\"virtualhost\":{\"fqdn\":\"" + fqdn + "\"}}");
    executor.runAll();
  }

  @AfterEach
  void nothingIsLeft() {
    source.close();
    executor.runAll();
    assertThat(time.pending()).isEmpty();
    assertThat(uncaught).isEmpty();
  }

  @Test
  void theFirstReportHoldsEveryKindAtOnce() {
    service("web", 80);
    proxy(3, "a.example.com");
    start();

    assertThat(reports).hasSize(1);
    assertThat(last().added().keySet()).containsExactly(PROXY, WEB);
    assertThat(last().complete()).isTrue();
    assertThat(last().problems()).isEmpty();
  }

  @Test
  void aSourceThatIsWarmReportsWhatItHasReadAtOnce() {
    service("web", 80);
    service("gone", 80);
    List<Set<ObjectKey>> read = new ArrayList<>();
    source.warmUp(objects -> read.add(Set.copyOf(objects.keySet())));
    executor.runAll();
    assertThat(read).containsExactly(Set.of(WEB, new ObjectKey("Service", "shop", "gone")));
    service("web", 81);
    server.delete("services", "gone");
    executor.runAll();
    proxy(3, "a.example.com");
    assertThat(reports).isEmpty();

    server.goDown();
    start();
    assertThat(reports).hasSize(1);
    assertThat(objects).containsOnlyKeys(PROXY, WEB);
    assertThat(requireNonNull(objects.get(WEB)).body().toString()).contains("81");
    server.comeUp();
  }

  @Test
  void nothingIsReportedWhileOneKindHasNotBeenListed() {
    service("web", 80);
    server.answer("/secrets", new ApiResponse(500, "{\"message\":\"etcd is away\"}"));
    start();
    assertThat(reports).isEmpty();

    server.answer("/secrets", null);
    advance(Duration.ofSeconds(2));
    assertThat(objects).containsOnlyKeys(WEB);
  }

  @Test
  void aListInPagesIsOneReport() {
    server.pageSize(2);
    for (int i = 0; i < 7; i++) {
      service("s" + i, 80);
    }
    start();
    assertThat(last().added()).hasSize(7);
  }

  @Test
  void aKindThatIsNotKnownIsToldAndDoesNotStopTheOthers() {
    service("web", 80);
    server.answer("/extensionpolicies", NOT_FOUND);
    start();
    assertThat(objects).containsOnlyKeys(WEB);
    assertThat(problems())
        .containsExactly(
            "extensionpolicies: the API server does not know this kind (expected: the"
                + " CustomResourceDefinition of extensionpolicies is installed)");
    assertThat(last().complete()).as("it may only just have started").isFalse();

    advance(Duration.ofMinutes(1));
    assertThat(last().complete()).isTrue();

    server.answer("/extensionpolicies", null);
    advance(Duration.ofMinutes(1));
    assertThat(problems()).isEmpty();
  }

  @Test
  void anApiServerThatHasJustStartedAndDoesNotKnowACustomKindTakesNothingAway() {
    proxy(1, "a.example.com");
    start();
    server.goDown();
    executor.runAll();
    server.comeUp();
    server.answer("/httpproxies", NOT_FOUND);
    advance(Duration.ofSeconds(15));
    assertThat(objects).containsOnlyKeys(PROXY);

    server.answer("/httpproxies", null);
    advance(Duration.ofMinutes(1));
    assertThat(objects).containsOnlyKeys(PROXY);
    assertThat(problems()).isEmpty();
  }

  @Test
  void aKindThatIsGoneForGoodTakesItsObjectsWithIt() {
    proxy(1, "a.example.com");
    start();
    server.answer("/httpproxies", NOT_FOUND);
    server.end("httpproxies", 0, "reset");
    advance(Duration.ofMinutes(2));
    assertThat(objects).isEmpty();
    assertThat(last().removed()).containsExactly(PROXY);
  }

  @Test
  void aKindThatMayNotBeReadAnyMoreKeepsWhatWasRead() {
    server.put("secrets", "cert", "", ",\"type\":\"kubernetes.io/tls\"");
    start();
    server.answer("/secrets", FORBIDDEN);
    server.end("secrets", 403, "forbidden");
    advance(Duration.ofMinutes(2));
    assertThat(objects).hasSize(1);
    assertThat(problems()).singleElement().asString().startsWith("secrets: forbidden");
  }

  @Test
  void aKindThatMayNotBeReadAtTheStartDoesNotStopTheOthersAndIsNoDeletion() {
    service("web", 80);
    server.answer("/secrets", FORBIDDEN);
    start();
    assertThat(objects).containsOnlyKeys(WEB);
    assertThat(last().complete()).isFalse();
    assertThat(problems())
        .containsExactly(
            "secrets: secrets is forbidden: User holdfast cannot list (HTTP 403) (expected: get,"
                + " list and watch are allowed; see the docs)");
  }

  @Test
  void editsAndDeletionsAreReportedAsTheyCome() {
    service("web", 80);
    start();
    service("web", 81);
    assertThat(last().changed()).containsOnlyKeys(WEB);
    assertThat(generation(WEB)).isEqualTo(2);

    server.delete("services", "web");
    advance(Duration.ofMillis(500));
    assertThat(last().removed()).containsExactly(WEB);
  }

  @Test
  void deletionsThatFollowOneAnotherAreOneReport() {
    for (int i = 0; i < 20; i++) {
      service("s" + i, 80);
    }
    start();
    for (int i = 0; i < 20; i++) {
      server.delete("services", "s" + i);
      advance(Duration.ofMillis(400));
    }
    assertThat(reports).as("nothing yet").hasSize(1);
    service("s3", 80); // is back in time
    advance(Duration.ofMillis(500));
    assertThat(last().removed()).hasSize(19);
  }

  @Test
  void deletionsWithoutEndAreReportedAfterTenSeconds() {
    for (int i = 0; i < 60; i++) {
      service("s" + i, 80);
    }
    start();
    for (int i = 0; i < 26; i++) {
      server.delete("services", "s" + i);
      advance(Duration.ofMillis(400));
    }
    assertThat(last().removed()).hasSizeGreaterThan(20);
  }

  @Test
  void theDeletionOfASliceDoesNotWait() {
    server.put("endpointslices", "web-1", "", ",\"addressType\":\"IPv4\"");
    start();
    server.delete("endpointslices", "web-1");
    executor.runAll();
    assertThat(last().removed()).hasSize(1);
  }

  @Test
  void aWriteThatChangesNoSpecIsNoReport() {
    proxy(1, "a.example.com");
    start();
    server.put(
        "httpproxies",
        "front",
        ",\"generation\":1,\"managedFields\":[{}]",
        ",\"spec\":{\"virtualhost\":{\"fqdn\":\"a.example.com\"}},\"status\":{\"x\":1}");
    executor.runAll();
    assertThat(reports).hasSize(1);
  }

  @Test
  void generationsAreThoseOfTheClusterUnlessTheObjectWasCreatedAgain() {
    proxy(4, "a.example.com");
    start();
    assertThat(generation(PROXY)).isEqualTo(4);
    proxy(6, "b.example.com");
    assertThat(generation(PROXY)).isEqualTo(6);

    server.delete("httpproxies", "front");
    advance(Duration.ofSeconds(1));
    proxy(1, "c.example.com");
    assertThat(generation(PROXY)).isEqualTo(7);
  }

  @Test
  void anAnnotationIsAnEditAlthoughTheClusterCountsNoGeneration() {
    proxy(1, "a.example.com");
    start();
    server.put(
        "httpproxies",
        "front",
        ",\"generation\":1,\"annotations\":{\"holdfast.dev/on-reject\":\"respond-503\"}",
        ",\"spec\":{\"virtualhost\":{\"fqdn\":\"a.example.com\"}}");
    executor.runAll();
    assertThat(requireNonNull(last().changed().get(PROXY)).annotations())
        .containsKey("holdfast.dev/on-reject");
  }

  @Test
  void whatKubectlLeavesBehindIsNotKept() {
    server.put(
        "secrets",
        "cert",
        ",\"annotations\":{\"kubectl.kubernetes.io/last-applied-configuration\":\"private\"}",
        "");
    start();
    assertThat(objects.values().iterator().next().annotations()).isEmpty();
  }

  @Test
  void afterAGapThatIsTooLongEverythingIsListedAgain() {
    service("a", 80);
    service("b", 80);
    start();
    server.silently(
        () -> {
          server.delete("services", "a");
          service("c", 80);
        });
    server.tell("services", "ERROR", "{\"kind\":\"Status\",\"code\":410,\"message\":\"too old\"}");
    advance(Duration.ofMillis(500));
    assertThat(objects.keySet()).extracting(ObjectKey::name).containsExactly("b", "c");
  }

  @Test
  void anObjectIsNeverSteppedBackToAnOlderVersion() {
    service("web", 80);
    start();
    String old =
        FakeApiServer.object("web", server.version(), "", ",\"spec\":{\"ports\":[{\"port\":80}]}");
    service("web", 81);
    server.tell("services", "MODIFIED", old);
    executor.runAll();
    assertThat(generation(WEB)).isEqualTo(2);
    assertThat(reports).hasSize(2);
  }

  @Test
  void aDeletionOfAnEarlierObjectOfTheSameNameIsNotHeard() {
    service("web", 80);
    start();
    server.tell(
        "services",
        "DELETED",
        FakeApiServer.object("web", 1, "", "").replace("uid-web", "uid-earlier"));
    executor.runAll();
    assertThat(objects).containsOnlyKeys(WEB);
  }

  @Test
  void anOutageChangesNothingButIsToldWithItsBeginning() {
    service("web", 80);
    start();
    server.goDown();
    executor.runAll();
    assertThat(reports).as("watches break all the time").hasSize(1);

    advance(Duration.ofSeconds(25));
    assertThat(objects).containsOnlyKeys(WEB);
    assertThat(problems())
        .hasSize(WatchedKind.ALL.size())
        .contains(
            "services: not up to date since 2030-01-01T00:00:00Z: connection reset (what was read"
                + " before stays in force)");
    assertThat(source.health())
        .allSatisfy(each -> assertThat(each.state()).isEqualTo(KindHealth.State.STALE));

    server.comeUp();
    advance(Duration.ofSeconds(20));
    assertThat(problems()).isEmpty();
    service("web", 81);
    assertThat(generation(WEB)).isEqualTo(2);
  }

  @Test
  void anOutageIsToldAlsoIfAKindWasNotKnown() {
    service("web", 80);
    server.answer("/extensionpolicies", NOT_FOUND);
    start();
    server.goDown();
    advance(Duration.ofSeconds(40));
    assertThat(problems()).filteredOn(each -> each.startsWith("services: not up")).hasSize(1);

    server.comeUp();
    advance(Duration.ofSeconds(40));
    service("web", 81);
    assertThat(generation(WEB)).isEqualTo(2);
  }

  @Test
  void aWatchThatIsSilentForTooLongIsOpenedAgain() {
    service("web", 80);
    start();
    int before = server.opened();
    advance(Duration.ofSeconds(149));
    assertThat(server.opened()).isEqualTo(before);
    advance(Duration.ofSeconds(3));
    assertThat(server.opened()).isEqualTo(before + WatchedKind.ALL.size());
    service("web", 81);
    assertThat(generation(WEB)).isEqualTo(2);
  }

  @Test
  void aWatchThatTheServerEndsGoesOnWhereItWas() {
    service("web", 80);
    start();
    server.takeRequests("GET");
    advance(Duration.ofSeconds(100));
    server.end("services", 200, "");
    executor.runAll();
    assertThat(server.isWatched("services")).isTrue();
    assertThat(server.takeRequests("GET")).as("no list").isEmpty();
  }

  @Test
  void changesWaitWhileGenerationsCannotBeStored() {
    Generations inMemory = Generations.inMemory();
    List<String> full = new ArrayList<>();
    source =
        source(
            (digests, counted, now) -> {
              if (!full.isEmpty()) {
                throw new IllegalStateException(full.get(0));
              }
              return inMemory.assign(digests, counted, now);
            });
    service("web", 80);
    start();
    full.add("disk full");
    service("web", 81);
    assertThat(generation(WEB)).isEqualTo(1);
    assertThat(last().notes().get(WEB)).extracting(SourceNote::reason).isEqualTo("NotStored");
    assertThat(problems()).singleElement().asString().contains("disk full");

    full.clear();
    advance(Duration.ofSeconds(1));
    assertThat(generation(WEB)).isEqualTo(2);
    assertThat(problems()).isEmpty();
    assertThat(last().notes()).isEmpty();
  }
}
