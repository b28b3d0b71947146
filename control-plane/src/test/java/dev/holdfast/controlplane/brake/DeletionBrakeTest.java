// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.controlplane.brake;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.config.AcceptedSpec;
import dev.holdfast.config.ConfigObject;
import dev.holdfast.config.ObjectChanges;
import dev.holdfast.config.ObjectKey;
import dev.holdfast.config.Value;
import dev.holdfast.config.files.ObjectReader;
import dev.holdfast.config.files.YamlReader;
import dev.holdfast.testkit.ManualTime;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

class DeletionBrakeTest {
  private static final int HOSTS = 20;

  private final ManualTime time = new ManualTime();
  private final Map<ObjectKey, ConfigObject> inForce = new HashMap<>();
  private DeletionBrake brake = new DeletionBrake(BrakeOptions.defaults(), time, inForce::get);
  private SortedMap<ObjectKey, ConfigObject> live = new TreeMap<>();

  @Test
  void everythingAtOnceWaits() {
    start(hosts(HOSTS));

    BrakeDecision decision = become(new TreeMap<>());

    assertThat(decision.removed()).isEmpty();
    assertThat(names(decision.held())).hasSize(HOSTS);
    assertThat(decision.lost()).hasSize(HOSTS);
    assertThat(decision.served()).isEqualTo(HOSTS);
    assertThat(brake.lostHosts()).hasSize(HOSTS).contains("h0.example.com");
  }

  /** A copy that breaks all files first, and removes them then. */
  @Test
  void everythingWaitsAlsoIfItsNewestGenerationCannotBeRead() {
    start(hosts(HOSTS));
    inForce.putAll(live);
    SortedMap<ObjectKey, ConfigObject> broken = new TreeMap<>();
    for (int i = 0; i < HOSTS; i++) {
      broken.putAll(read(root("h" + i, "servces: []")));
    }
    become(broken);

    BrakeDecision decision = become(new TreeMap<>());

    assertThat(decision.removed()).isEmpty();
    assertThat(decision.held()).hasSize(HOSTS);
    assertThat(decision.lost()).hasSize(HOSTS);
    assertThat(brake.lostHosts()).hasSize(HOSTS);
  }

  @Test
  void oneAfterTheOtherCountAlsoIfTheirNewestGenerationCannotBeRead() {
    start(hosts(HOSTS));
    inForce.putAll(live);
    SortedMap<ObjectKey, ConfigObject> broken = new TreeMap<>();
    for (int i = 0; i < HOSTS; i++) {
      broken.putAll(read(root("h" + i, "servces: []")));
    }
    become(broken);

    for (int i = 0; i < HOSTS; i++) {
      BrakeDecision decision = delete("HTTPProxy", i, i + 1);
      decision.removed().forEach(inForce::remove);
    }

    assertThat(brake.waiting()).hasSize(HOSTS - 10);
  }

  @Test
  void halfOfThemIsNotMoreThanHalf() {
    start(hosts(HOSTS + 2));

    assertThat(delete("HTTPProxy", 0, 11).removed()).hasSize(11);
  }

  @Test
  void tenAreNotMoreThanTen() {
    start(hosts(10));

    assertThat(become(new TreeMap<>()).removed()).hasSize(10);
  }

  @Test
  void elevenOfElevenWait() {
    start(hosts(11));

    assertThat(become(new TreeMap<>()).held()).hasSize(11);
  }

  @Test
  void anotherThresholdCounts() {
    brake =
        new DeletionBrake(BrakeOptions.of(/* percent= */ 10, /* hosts= */ 1), time, inForce::get);
    start(hosts(HOSTS));

    assertThat(delete("HTTPProxy", 0, 3).held()).hasSize(3);
  }

  @Test
  void nothingWaitsIfItIsOff() {
    brake = new DeletionBrake(BrakeOptions.off(), time, inForce::get);
    start(hosts(HOSTS));

    assertThat(become(new TreeMap<>()).removed()).hasSize(HOSTS);
  }

  @Test
  void oneAfterTheOtherCountTogetherWithinTheWindow() {
    start(hosts(HOSTS));

    for (int i = 0; i < 10; i++) {
      time.advance(Duration.ofSeconds(2));
      assertThat(delete("HTTPProxy", i, i + 1).removed()).hasSize(1);
    }
    for (int i = 10; i < HOSTS; i++) {
      time.advance(Duration.ofMillis(100));
      assertThat(delete("HTTPProxy", i, i + 1).held()).as("host %s", i).hasSize(1);
    }
    assertThat(brake.waiting()).hasSize(10);
  }

  @Test
  void oneAfterTheOtherDoNotCountTogetherIfEachTakesItsTime() {
    start(hosts(HOSTS));

    for (int i = 0; i < HOSTS; i++) {
      time.advance(Duration.ofSeconds(10));
      assertThat(delete("HTTPProxy", i, i + 1).held()).as("host %s", i).isEmpty();
    }
  }

  @Test
  void oneObjectNeverWaitsWhateverDependsOnIt() {
    start(read(forwards(HOSTS, "s") + service("s")));

    // A Service without its endpoints is one deletion, too.
    SortedMap<ObjectKey, ConfigObject> next = new TreeMap<>(live);
    next.remove(new ObjectKey("Service", "default", "s"));
    next.remove(new ObjectKey("EndpointSlice", "default", "s-1"));
    assertThat(become(next).removed()).hasSize(2);
  }

  @Test
  void servicesThatAllHostsNeedWait() {
    StringBuilder yaml = new StringBuilder();
    for (int i = 0; i < HOSTS; i++) {
      yaml.append(forward("h" + i, "s" + i)).append(service("s" + i));
    }
    start(read(yaml.toString()));

    assertThat(deleteKind("Service").held()).hasSize(HOSTS);
    time.advance(Duration.ofMinutes(1));
    assertThat(deleteKind("EndpointSlice").held()).hasSize(HOSTS);
  }

  @Test
  void aServiceMayLoseSomeOfItsEndpoints() {
    StringBuilder yaml = new StringBuilder();
    for (int i = 0; i < HOSTS; i++) {
      yaml.append(forward("h" + i, "s" + i)).append(service("s" + i)).append(slice("s" + i, "x"));
    }
    start(read(yaml.toString()));
    SortedMap<ObjectKey, ConfigObject> next = new TreeMap<>(live);
    next.keySet().removeIf(key -> key.name().endsWith("-x"));

    assertThat(become(next).removed()).hasSize(HOSTS);
  }

  @Test
  void policiesThatGuardTheHostsWait() {
    StringBuilder yaml = new StringBuilder();
    for (int i = 0; i < HOSTS; i++) {
      yaml.append(host("h" + i)).append(policy("p" + i, "h" + i));
    }
    start(read(yaml.toString()));

    assertThat(deleteKind("ExtensionPolicy").held()).hasSize(HOSTS);
  }

  @Test
  void whatNoHostNeedsMayGo() {
    StringBuilder yaml = new StringBuilder();
    for (int i = 0; i < HOSTS; i++) {
      yaml.append(host("h" + i)).append(service("s" + i));
    }
    start(read(yaml.toString()));

    assertThat(deleteKind("Service").removed()).hasSize(HOSTS);
  }

  @Test
  void hostsThatMoveToOtherObjectsAreNotLost() {
    start(hosts(HOSTS));
    SortedMap<ObjectKey, ConfigObject> next =
        read(yaml(HOSTS).replace("metadata: {name: h", "metadata: {namespace: other, name: h"));

    BrakeDecision decision = become(next);

    assertThat(decision.held()).isEmpty();
    assertThat(decision.removed()).hasSize(HOSTS);
  }

  @Test
  void otherChangesPassMeanwhile() {
    start(hosts(HOSTS));
    delete("HTTPProxy", 0, 15);
    time.advance(Duration.ofMinutes(1));

    assertThat(delete("HTTPProxy", 15, 16).removed()).hasSize(1);
    SortedMap<ObjectKey, ConfigObject> next = new TreeMap<>(live);
    next.putAll(read(host("new")));
    assertThat(become(next).put()).hasSize(1);
  }

  @Test
  void whatAWaitingObjectNeedsWaitsWithIt() {
    StringBuilder yaml = new StringBuilder();
    for (int i = 0; i < HOSTS; i++) {
      yaml.append(forward("h" + i, "s" + i)).append(service("s" + i));
    }
    start(read(yaml.toString()));
    deleteKind("HTTPProxy");
    time.advance(Duration.ofMinutes(1));

    assertThat(delete("Service", 3, 4).held()).hasSize(1);
    assertThat(delete("EndpointSlice", 4, 5, "-1").held()).hasSize(1);
  }

  @Test
  void anObjectThatIsBackIsForgottenAndTheOthersGoOnWaiting() {
    start(hosts(HOSTS));
    SortedMap<ObjectKey, ConfigObject> before = live;
    become(new TreeMap<>());

    for (int i = 0; i < HOSTS - 1; i++) {
      SortedMap<ObjectKey, ConfigObject> next = new TreeMap<>(live);
      ObjectKey key = new ObjectKey("HTTPProxy", "default", "h" + i);
      next.put(key, before.get(key));
      assertThat(names(become(next).undone())).containsExactly("h" + i);
    }

    assertThat(names(brake.waiting())).containsExactly("h" + (HOSTS - 1));
    assertThat(become(before).undone()).hasSize(1);
    assertThat(brake.waiting()).isEmpty();
    assertThat(delete("HTTPProxy", 0, 1).removed()).hasSize(1);
  }

  @Test
  void confirmedDeletionsApplyAndAreForgotten() {
    start(hosts(HOSTS));
    delete("HTTPProxy", 0, 15);

    BrakeDecision decision = brake.confirm();

    assertThat(decision.removed()).hasSize(15);
    assertThat(decision.confirmed()).hasSize(15);
    assertThat(brake.waiting()).isEmpty();
    assertThat(brake.confirm().removed()).isEmpty();
    assertThat(delete("HTTPProxy", 15, 16).removed()).hasSize(1);
  }

  @Test
  void whatTheStateKnowsAndTheFirstReportLacksIsDeleted() {
    brake.restore(accepted(hosts(HOSTS)), new TreeSet<>());

    BrakeDecision decision = brake.first(changes(new TreeMap<>(), hosts(3)));

    assertThat(decision.held()).hasSize(HOSTS - 3);
    assertThat(decision.put()).as("what only the state knew is served").hasSize(HOSTS);
    assertThat(brake.confirm().removed()).hasSize(HOSTS - 3);
  }

  @Test
  void aFewThatTheFirstReportLacksAreGone() {
    brake.restore(accepted(hosts(HOSTS)), new TreeSet<>());

    BrakeDecision decision = brake.first(changes(new TreeMap<>(), hosts(HOSTS - 3)));

    assertThat(decision.held()).isEmpty();
    assertThat(decision.put()).hasSize(HOSTS - 3);
  }

  @Test
  void whatWaitedBeforeTheRestartWaitsAfterItHoweverFew() {
    SortedSet<ObjectKey> waited =
        new TreeSet<>(List.of(new ObjectKey("HTTPProxy", "default", "h0")));
    brake.restore(accepted(hosts(HOSTS)), waited);

    BrakeDecision decision =
        brake.first(changes(new TreeMap<>(), without(hosts(HOSTS), "h0", "h1")));

    assertThat(names(decision.held())).containsExactly("h0");
  }

  // Objects.

  private void start(SortedMap<ObjectKey, ConfigObject> objects) {
    live = objects;
    brake.first(changes(new TreeMap<>(), objects));
  }

  private BrakeDecision become(SortedMap<ObjectKey, ConfigObject> next) {
    ObjectChanges changes = changes(live, next);
    live = next;
    return brake.change(changes);
  }

  private BrakeDecision delete(String kind, int from, int to) {
    return delete(kind, from, to, "");
  }

  private BrakeDecision delete(String kind, int from, int to, String suffix) {
    SortedMap<ObjectKey, ConfigObject> next = new TreeMap<>(live);
    for (int i = from; i < to; i++) {
      next.remove(
          new ObjectKey(kind, "default", (kind.equals("HTTPProxy") ? "h" : "s") + i + suffix));
    }
    return become(next);
  }

  private BrakeDecision deleteKind(String kind) {
    SortedMap<ObjectKey, ConfigObject> next = new TreeMap<>(live);
    next.keySet().removeIf(key -> key.kind().equals(kind));
    return become(next);
  }

  private static SortedMap<ObjectKey, ConfigObject> without(
      SortedMap<ObjectKey, ConfigObject> objects, String... names) {
    SortedMap<ObjectKey, ConfigObject> fewer = new TreeMap<>(objects);
    fewer.keySet().removeIf(key -> List.of(names).contains(key.name()));
    return fewer;
  }

  private static ObjectChanges changes(
      SortedMap<ObjectKey, ConfigObject> before, SortedMap<ObjectKey, ConfigObject> after) {
    return ObjectChanges.between(before, after, List.of());
  }

  private static SortedMap<ObjectKey, AcceptedSpec> accepted(
      SortedMap<ObjectKey, ConfigObject> objects) {
    SortedMap<ObjectKey, AcceptedSpec> accepted = new TreeMap<>();
    objects.forEach((key, object) -> accepted.put(key, AcceptedSpec.of(object)));
    return accepted;
  }

  private static List<String> names(Collection<WaitingDeletion> deletions) {
    return deletions.stream().map(one -> one.object().key().name()).toList();
  }

  private static SortedMap<ObjectKey, ConfigObject> hosts(int count) {
    return read(yaml(count));
  }

  private static String yaml(int count) {
    StringBuilder yaml = new StringBuilder();
    for (int i = 0; i < count; i++) {
      yaml.append(host("h" + i));
    }
    return yaml.toString();
  }

  private static String forwards(int count, String service) {
    StringBuilder yaml = new StringBuilder();
    for (int i = 0; i < count; i++) {
      yaml.append(forward("h" + i, service));
    }
    return yaml.toString();
  }

  private static String host(String name) {
    return root(name, "directResponsePolicy: {statusCode: 200}");
  }

  private static String forward(String name, String service) {
    return root(name, "services: [{name: " + service + ", port: 80}]");
  }

  private static String root(String name, String route) {
    return """
    ---
    apiVersion: projectcontour.io/v1
    kind: HTTPProxy
    metadata: {name: %1$s}
    spec: {virtualhost: {fqdn: %1$s.example.com}, routes: [{%2$s}]}
    """
        .formatted(name, route);
  }

  private static String policy(String name, String target) {
    return """
    ---
    apiVersion: holdfast.dev/v1alpha1
    kind: ExtensionPolicy
    metadata: {name: %s}
    spec:
      targetRef: {kind: HTTPProxy, name: %s}
      httpFilters:
      - name: lua
        typedConfig:
          "@type": type.googleapis.com/envoy.extensions.filters.http.lua.v3.Lua
    """
        .formatted(name, target);
  }

  private static String service(String name) {
    return """
    ---
    {apiVersion: v1, kind: Service, metadata: {name: %s}, spec: {ports: [{port: 80}]}}
    """
            .formatted(name)
        + slice(name, "1");
  }

  private static String slice(String service, String suffix) {
    return """
    ---
    {apiVersion: discovery.k8s.io/v1, kind: EndpointSlice,
     metadata: {name: %1$s-%2$s, labels: {kubernetes.io/service-name: %1$s}},
     addressType: IPv4, ports: [{port: 8080}], endpoints: [{addresses: [127.0.0.1]}]}
    """
        .formatted(service, suffix);
  }

  private static SortedMap<ObjectKey, ConfigObject> read(String yaml) {
    SortedMap<ObjectKey, ConfigObject> objects = new TreeMap<>();
    for (Value document : YamlReader.read("f", yaml.getBytes(StandardCharsets.UTF_8)).documents()) {
      ObjectReader.read(document).objects().forEach(object -> objects.put(object.key(), object));
    }
    return objects;
  }
}
