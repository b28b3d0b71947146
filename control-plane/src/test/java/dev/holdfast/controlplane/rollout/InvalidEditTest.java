// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.controlplane.rollout;

import static dev.holdfast.controlplane.rollout.Fleet.BAD;
import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.config.ConfigObject;
import dev.holdfast.config.ObjectKey;
import dev.holdfast.controlplane.rollout.hold.Hold;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** An edit that does not validate is held, and what was served stays. */
class InvalidEditTest {
  private final Fleet fleet = new Fleet();
  private final TestYaml yaml = new TestYaml();

  @BeforeEach
  void join() {
    fleet.join("e1");
  }

  private static String proxy(String name, String fqdn, String routes) {
    return """
        apiVersion: projectcontour.io/v1
        kind: HTTPProxy
        metadata: {name: %s}
        spec:
          virtualhost: {fqdn: %s}
          routes: [%s]
        """
        .formatted(name, fqdn, routes);
  }

  private static String answer(String name, String body) {
    return "{directResponsePolicy: {statusCode: 200, body: '" + name + ":" + body + ";'}}";
  }

  private static String to(String service) {
    return "{services: [{name: " + service + ", port: 80}]}";
  }

  private static String service(String name, int port) {
    return """
        apiVersion: v1
        kind: Service
        metadata: {name: %s}
        spec: {ports: [{port: %d}]}
        """
        .formatted(name, port);
  }

  private static String policy(String name, String target, String rest) {
    return """
        apiVersion: holdfast.dev/v1alpha1
        kind: ExtensionPolicy
        metadata: {name: %s}
        spec:
          targetRef: {name: %s}
          perRoute:
          - name: envoy.filters.http.lua
            typedConfig:
              "@type": type.googleapis.com/envoy.extensions.filters.http.lua.v3.LuaPerRoute
              %s
        """
        .formatted(name, target, rest);
  }

  private static String script(String text) {
    return "sourceCode: {inlineString: '-- " + text + "'}";
  }

  private Fleet write(String... documents) {
    return fleet.change(yaml.read(String.join("---\n", documents)));
  }

  private List<ConfigObject> read(String... documents) {
    return yaml.read(String.join("---\n", documents));
  }

  private boolean runs(String word) {
    return fleet.member("e1").has(word);
  }

  private Hold hold(String kind, String name) {
    return requireNonNull(fleet.rollout.hold(new ObjectKey(kind, "default", name)), name);
  }

  private static final String A = proxy("a", "a.com", answer("a", "1"));

  @ParameterizedTest
  @ValueSource(
      strings = {
        "{servces: [{name: s, port: 80}]}",
        "{timeoutPolicy: {response: 5 sec}, directResponsePolicy: {statusCode: 200}}",
        "{services: [{name: s, port: 80, weight: -1}]}",
        "{services: [{name: none, port: 80}]}",
        "{directResponsePolicy: {statusCode: 200}}, {conditions: [{prefix: /x}], oops: 1}",
      })
  void theLastGoodGenerationStays(String routes) {
    write(A, proxy("b", "b.com", answer("b", "1")));
    write(proxy("a", "a.com", routes), proxy("b", "b.com", answer("b", "2")));

    assertThat(runs("a:1;")).isTrue();
    assertThat(runs("b:2;")).as("others go on").isTrue();
    assertThat(fleet.held()).containsExactly("a@2/1");
    assertThat(hold("HTTPProxy", "a").reason()).isEqualTo(Hold.Reason.INVALID);
    assertThat(hold("HTTPProxy", "a").problems()).isNotEmpty();

    write(proxy("a", "a.com", answer("a", "3")));
    assertThat(fleet.held()).isEmpty();
    assertThat(runs("a:3;")).isTrue();
  }

  @Test
  void anInvalidEditIsHeldBesideARejectedOne() {
    write(A, proxy("b", "b.com", answer("b", "1")), proxy("c", "c.com", answer("c", "1")));
    write(
        proxy("a", "a.com", "{oops: 1}"),
        proxy("b", "b.com", answer("b", BAD)),
        proxy("c", "c.com", answer("c", "2")));

    assertThat(fleet.held()).containsExactly("a@2/1", "b@2/1");
    assertThat(runs("a:1;")).isTrue();
    assertThat(runs("b:1;")).isTrue();
    assertThat(runs("c:2;")).isTrue();
  }

  @Test
  void itIsHeldAfterARestart() {
    write(A);
    List<ConfigObject> bad = read(proxy("a", "a.com", "{oops: 1}"));
    fleet.change(bad);

    fleet.restart(bad).settle();

    assertThat(fleet.held()).containsExactly("a@2/1");
    assertThat(runs("a:1;")).isTrue();
  }

  @Test
  void whoAsksForItIsClosed() {
    write(A);
    fleet.change(Fleet.closing(yaml.one(proxy("a", "a.com", "{oops: 1}"))));

    assertThat(runs("a:1;")).isFalse();
    assertThat(runs("a.com")).as("the host answers 503").isTrue();
    assertThat(hold("HTTPProxy", "a").closed()).isTrue();

    write(proxy("b", "b.com", answer("b", "1")));
    assertThat(hold("HTTPProxy", "a").closed()).as("also after others changed").isTrue();

    write(proxy("a", "a.com", answer("a", "3")));
    assertThat(runs("a:3;")).isTrue();
  }

  @Test
  void deletingItTakesItAway() {
    write(A);
    write(proxy("a", "a.com", "{oops: 1}"));
    fleet.delete(new ObjectKey("HTTPProxy", "default", "a"));

    assertThat(runs("a.com")).isFalse();
    assertThat(fleet.held()).isEmpty();
  }

  @Test
  void anEditWithTheProblemItHadBeforeGoesThrough() {
    write(
        proxy(
            "a",
            "a.com",
            to("none")
                + ", {conditions: [{prefix: /x}], "
                + "directResponsePolicy: {statusCode: 200, body: 'a:1;'}}"));
    assertThat(runs("a:1;")).as("a new object is served as far as it can be").isTrue();

    write(
        proxy(
            "a",
            "a.com",
            "{conditions: [{prefix: /x}], directResponsePolicy: {statusCode: 200, body: 'a:2;'}}, "
                + to("none")));

    assertThat(runs("a:2;")).isTrue();
    assertThat(fleet.held()).isEmpty();
  }

  @Test
  void anEditOfWhatIsPartlyServedMayNotTakeMoreAway() {
    write(
        proxy(
            "a",
            "a.com",
            to("none")
                + ", {conditions: [{prefix: /x}], "
                + "directResponsePolicy: {statusCode: 200, body: 'a:1;'}}"));
    write(proxy("a", "a.com", "{conditions: [{prefix: /x}], oops: 1}, " + to("none")));

    assertThat(runs("a:1;")).isTrue();
    assertThat(fleet.held()).containsExactly("a@2/1");
  }

  @Test
  void whatAnEditRefersToReleasesIt() {
    write(A);
    write(proxy("a", "a.com", to("s")));
    assertThat(fleet.held()).containsExactly("a@2/1");
    Hold before = hold("HTTPProxy", "a");
    write(service("other", 80));
    assertThat(hold("HTTPProxy", "a")).as("the same hold").isSameAs(before);

    write(service("s", 80));

    assertThat(fleet.held()).isEmpty();
    assertThat(runs("default/s/80")).isTrue();
  }

  @Test
  void aServiceWithATypoKeepsItsLastGoodContent() {
    write(service("s", 80), proxy("a", "a.com", to("s")));
    write(service("s", 80).replace("ports", "prots"));

    assertThat(runs("default/s/80")).isTrue();
    assertThat(fleet.held()).containsExactly("s@2/1");
    assertThat(hold("Service", "s").reason()).isEqualTo(Hold.Reason.INVALID);
  }

  @Test
  void anEditWaitsForAServiceThatIsNewAndNotValid() {
    write(A);
    write(proxy("a", "a.com", to("s")), service("s", 80).replace("port: 80", "port: x"));

    assertThat(runs("a:1;")).isTrue();
    assertThat(fleet.held()).contains("a@2/1");
    write(service("s", 80));
    assertThat(fleet.held()).isEmpty();
    assertThat(runs("default/s/80")).isTrue();
  }

  @Test
  void aServiceKeepsThePortThatOthersUse() {
    write(
        service("s", 80),
        service("t", 80),
        proxy(
            "a",
            "a.com",
            to("s") + ", {conditions: [{prefix: /t}], services: [{name: t, port: 80}]}"));
    write(service("s", 8080), service("t", 80).replace("port: 80", "port: 80, name: web"));

    assertThat(runs("default/s/80")).isTrue();
    assertThat(fleet.held()).containsExactly("s@2/1");
    assertThat(hold("Service", "s").reason()).isEqualTo(Hold.Reason.CONFLICT);
    assertThat(hold("Service", "s").cause()).hasToString("HTTPProxy/default/a");

    write(proxy("a", "a.com", "{services: [{name: s, port: 8080}]}"));
    assertThat(fleet.held()).isEmpty();
    assertThat(runs("default/s/8080")).isTrue();
  }

  @Test
  void aServiceMayBeEditedAlthoughSomebodyWantsAPortThatItNeverHad() {
    write(
        service("s", 80),
        proxy(
            "a",
            "a.com",
            answer("a", "1") + ", {conditions: [{prefix: /x}], services: [{name: s, port: 81}]}"));
    write(service("s", 80).replace("{port: 80}", "{port: 80, name: a}, {port: 90, name: b}"));

    assertThat(fleet.held()).isEmpty();
  }

  @Test
  void anIncludedProxyStaysIncluded() {
    String root =
        """
        apiVersion: projectcontour.io/v1
        kind: HTTPProxy
        metadata: {name: root}
        spec:
          virtualhost: {fqdn: r.com}
          includes: [{name: child}]
        """;
    String child =
        """
        apiVersion: projectcontour.io/v1
        kind: HTTPProxy
        metadata: {name: child}
        spec:
          routes: [%s]
        """;
    write(root, child.formatted(answer("child", "1")));
    assertThat(runs("child:1;")).isTrue();

    write(proxy("child", "c.com", answer("child", "2")));
    assertThat(runs("child:1;")).isTrue();
    assertThat(fleet.held()).containsExactly("child@2/1");

    write(child.formatted("{oops: 1}"));
    assertThat(runs("child:1;")).isTrue();
    assertThat(fleet.held()).containsExactly("child@3/1");
  }

  @Test
  void whoIsServedKeepsItsHost() {
    write(A);
    ConfigObject older =
        yaml.one(
            proxy("b", "a.com", answer("b", "1"))
                .replace("{name: b}", "{name: b, creationTimestamp: '1969-01-01T00:00:00Z'}"));
    fleet.change(older);

    assertThat(runs("a:1;")).isTrue();
    assertThat(runs("b:1;")).isFalse();
    assertThat(hold("HTTPProxy", "b").reason()).isEqualTo(Hold.Reason.CONFLICT);
    assertThat(hold("HTTPProxy", "b").cause()).hasToString("HTTPProxy/default/a");
    assertThat(hold("HTTPProxy", "b").problems().get(0)).contains("a.com", "f.yaml:1");

    List<ConfigObject> a2 = read(proxy("a", "a.com", answer("a", "2")));
    fleet.change(a2);
    assertThat(runs("a:2;")).as("and may be edited").isTrue();

    List<ConfigObject> live = new ArrayList<>(a2);
    live.add(older);
    fleet.restart(live).settle();
    assertThat(runs("a:2;")).as("and after a restart").isTrue();
    assertThat(fleet.held()).containsExactly("b@1/0");

    fleet.delete(new ObjectKey("HTTPProxy", "default", "a"));
    assertThat(runs("b:1;")).as("the other takes over").isTrue();
    assertThat(fleet.held()).isEmpty();
  }

  @Test
  void anEditMayNotTakeTheHostOfAnother() {
    write(A, proxy("b", "b.com", answer("b", "1")));
    write(proxy("b", "a.com", answer("b", "2")));

    assertThat(runs("a:1;")).isTrue();
    assertThat(runs("b:1;")).isTrue();
    assertThat(fleet.held()).containsExactly("b@2/1");
    assertThat(hold("HTTPProxy", "b").reason()).isEqualTo(Hold.Reason.CONFLICT);
  }

  @Test
  void anUnreadableEditGivesNothingUp() {
    write(A);
    write(proxy("a", "a.com", "{oops: 1}"));
    write(proxy("b", "a.com", answer("b", "1")));

    assertThat(runs("a:1;")).isTrue();
    assertThat(fleet.held()).containsExactly("a@2/1", "b@1/0");
  }

  @Test
  void aRejectedEditGivesNothingUpThatItStillClaims() {
    write(A);
    write(proxy("a", "a.com", answer("a", BAD)));
    write(proxy("b", "a.com", answer("b", "1")));

    assertThat(runs("a:1;")).isTrue();
    assertThat(fleet.held()).containsExactly("a@2/1", "b@1/0");
  }

  @Test
  void aNewcomerThatWaitedIsTriedBeforeItIsServed() {
    write(A, proxy("z", "z.com", answer("z", "1")));
    write(proxy("b", "a.com", answer("b", BAD)));
    fleet.delete(new ObjectKey("HTTPProxy", "default", "a"));

    assertThat(hold("HTTPProxy", "b").reason()).isEqualTo(Hold.Reason.REJECTED);
    assertThat(runs("z:1;")).isTrue();
    write(proxy("z", "z.com", answer("z", "2")));
    assertThat(runs("z:2;")).isTrue();
  }

  private static String ingress(String name, String created, String path, String service) {
    return """
        apiVersion: networking.k8s.io/v1
        kind: Ingress
        metadata: {name: %s, creationTimestamp: '%s'}
        spec:
          rules:
          - host: i.com
            http:
              paths:
              - {path: %s, pathType: Prefix, backend: {service: {name: %s, port: {number: 80}}}}
        """
        .formatted(name, created, path, service);
  }

  @Test
  void anIngressKeepsItsPathAndItsHost() {
    write(service("s", 80), service("t", 80), ingress("i", "2020-01-01T00:00:00Z", "/", "s"));
    write(ingress("j", "2010-01-01T00:00:00Z", "/", "t"));
    assertThat(runs("default/s/80")).isTrue();
    assertThat(runs("default/t/80")).isFalse();
    assertThat(hold("Ingress", "j").reason()).isEqualTo(Hold.Reason.CONFLICT);

    write(proxy("p", "i.com", answer("p", "1")));
    assertThat(runs("default/s/80")).isTrue();
    assertThat(hold("HTTPProxy", "p").reason()).isEqualTo(Hold.Reason.CONFLICT);

    fleet.delete(new ObjectKey("Ingress", "default", "i"));
    assertThat(fleet.held()).hasSize(1);
  }

  private static String cors(String name, String methods) {
    return """
        apiVersion: holdfast.dev/v1alpha1
        kind: ExtensionPolicy
        metadata: {name: %s, creationTimestamp: '1969-01-01T00:00:00Z'}
        spec:
          targetRef: {name: a}
          perRoute:
          - name: envoy.filters.http.cors
            typedConfig:
              "@type": type.googleapis.com/envoy.extensions.filters.http.cors.v3.CorsPolicy
              allowMethods: %s
        """
        .formatted(name, methods);
  }

  @Test
  void aPolicyKeepsItsFilter() {
    write(A, cors("y", "one"));
    write(cors("x", "two")); // would win by its name

    assertThat(runs("one")).isTrue();
    assertThat(runs("two")).isFalse();
    assertThat(hold("ExtensionPolicy", "x").reason()).isEqualTo(Hold.Reason.CONFLICT);
    fleet.delete(new ObjectKey("ExtensionPolicy", "default", "y"));
    assertThat(runs("two")).isTrue();
  }

  @ParameterizedTest
  @ValueSource(strings = {"unknownField: 1", "target: b", "route: 7"})
  void aPolicyThatIsNotValidLeavesTheLastGoodOneInForce(String mistake) {
    write(A, policy("x", "a", script("one")));
    String bad =
        switch (mistake) {
          case "target: b" -> policy("x", "b", script("two"));
          case "route: 7" ->
              policy("x", "a", script("two")).replace("{name: a}", "{name: a, route: 7}");
          default -> policy("x", "a", mistake);
        };
    write(bad);

    assertThat(runs("one")).isTrue();
    assertThat(fleet.held()).containsExactly("x@2/1");
  }

  @Test
  void aRouteThatAPolicyIsForMayNotGoAway() {
    write(
        proxy(
            "a",
            "a.com",
            answer("a", "1")
                + ", {conditions: [{prefix: /x}], directResponsePolicy: {statusCode: 200}}"),
        policy("x", "a", script("one")).replace("{name: a}", "{name: a, route: 1}"));
    write(proxy("a", "a.com", answer("a", "2")));

    assertThat(runs("one")).isTrue();
    assertThat(runs("a:1;")).isTrue();
    assertThat(hold("HTTPProxy", "a").cause()).hasToString("ExtensionPolicy/default/x");
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void aNewHostWaitsForAPolicyThatCannotBeApplied(boolean refused) {
    write(proxy("z", "z.com", answer("z", "1")));
    write(
        A,
        policy("x", "a", refused ? script(BAD) : "unknownField: 1"),
        proxy("z", "z.com", answer("z", "2")));

    assertThat(runs("a.com")).isFalse();
    assertThat(runs("z:2;")).isTrue();
    assertThat(fleet.held()).containsExactly("x@1/0", "a@1/0");
    assertThat(hold("HTTPProxy", "a").reason()).isEqualTo(Hold.Reason.DEPENDENCY_REJECTED);

    write(proxy("a", "a.com", answer("a", "2")));
    assertThat(runs("a.com")).as("also when it is edited").isFalse();
    write(policy("x", "a", script("one")));
    assertThat(runs("a:2;")).isTrue();
    assertThat(runs("one")).isTrue();
    assertThat(fleet.held()).isEmpty();
  }

  @Test
  void aPolicyThatWasBlamedForAnIncludeOfItsNewTargetIsTriedAgainWithTheNextOne() {
    String included =
        """
        apiVersion: projectcontour.io/v1
        kind: HTTPProxy
        metadata: {name: c}
        spec: {routes: [%s]}
        """;
    write(proxy("z", "z.com", answer("z", "1")));
    write(included.formatted(answer("c", BAD)));
    write(
        proxy("a", "a.com", answer("a", "1"))
            .replace("  routes", "  includes: [{name: c, conditions: [{prefix: /c}]}]\n  routes"),
        policy("x", "a", script("one")));
    assertThat(runs("a.com")).isFalse();
    assertThat(fleet.held()).contains("a@1/0");

    write(included.formatted(answer("c", "2")));

    assertThat(runs("a:1;")).isTrue();
    assertThat(runs("one")).isTrue();
    assertThat(fleet.held()).isEmpty();
  }

  @Test
  void whatIsHeldWithItsTargetIsNotTriedAgainAfterARestart() {
    write(proxy("z", "z.com", answer("z", "1")));
    List<ConfigObject> bad =
        read(
            A,
            policy("x", "a", script(BAD)),
            proxy("b", "b.com", answer("b", "1")),
            policy("y", "b", script(BAD + BAD)),
            proxy("z", "z.com", answer("z", "1")));
    fleet.change(bad);
    assertThat(fleet.held()).containsExactly("x@1/0", "y@1/0", "a@1/0", "b@1/0");
    fleet.member("e1").refusedVersions.clear();

    fleet.restart(bad).settle();

    assertThat(fleet.held()).containsExactly("x@1/0", "y@1/0", "a@1/0", "b@1/0");
    assertThat(fleet.member("e1").refusedVersions).isEmpty();
    write(proxy("a", "a.com", answer("a", "2")), policy("y", "b", script("fine")));
    assertThat(runs("b.com")).isTrue();
    assertThat(runs("a.com")).isFalse();
    write(policy("x", "a", script("fine, too")));
    assertThat(fleet.held()).isEmpty();
  }

  @Test
  void theWaitEndsWithThePolicy() {
    write(A, policy("x", "a", "unknownField: 1"));
    assertThat(runs("a.com")).isFalse();
    fleet.delete(new ObjectKey("ExtensionPolicy", "default", "x"));
    assertThat(runs("a:1;")).isTrue();
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void whoWasServedWithoutThePolicyGoesOn(boolean refused) {
    write(A);
    write(policy("x", "a", refused ? script(BAD) : "unknownField: 1"));
    assertThat(runs("a:1;")).isTrue();
    assertThat(fleet.held()).containsExactly("x@1/0");

    write(proxy("a", "a.com", answer("a", "2")));
    assertThat(runs("a:2;")).isTrue();
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void anEditThatComesWithANewPolicyWaitsForIt(boolean refused) {
    write(A);
    write(
        proxy("a", "a.com", answer("a", "2")),
        policy("x", "a", refused ? script(BAD) : "unknownField: 1"));

    assertThat(runs("a:1;")).isTrue();
    assertThat(fleet.held()).containsExactly("x@1/0", "a@2/1");
  }

  @Test
  void aTypoInADelegationRevokesNothing() {
    String delegation =
        """
        apiVersion: projectcontour.io/v1
        kind: TLSCertificateDelegation
        metadata: {name: d}
        spec: {delegations: [{secretName: s, targetNamespaces: [other]}]}
        """;
    write(A, delegation);
    write(delegation.replace("targetNamespaces", "targetNamespace"));

    assertThat(fleet.held()).containsExactly("d@2/1");
    assertThat(fleet.rollout.served(new ObjectKey("TLSCertificateDelegation", "default", "d")))
        .isEqualTo(1);
  }

  private static String slice(String addresses) {
    return """
        apiVersion: discovery.k8s.io/v1
        kind: EndpointSlice
        metadata: {name: e, labels: {kubernetes.io/service-name: s}}
        addressType: IPv4
        endpoints: [%s]
        ports: [{port: 8080}]
        """
        .formatted(addresses);
  }

  private String endpoints() {
    var id =
        new dev.holdfast.controlplane.snapshot.ResourceId(
            dev.holdfast.controlplane.snapshot.ResourceType.ENDPOINTS, "default/s/80");
    return String.valueOf(
        requireNonNull(fleet.rollout.baseline().snapshot().get(id)).body().toStringUtf8());
  }

  @Test
  void goodAddressesAreUsedBesideABadOne() {
    write(service("s", 80), proxy("a", "a.com", to("s")), slice("{addresses: [10.0.0.1]}"));
    write(slice("{addresses: [10.0.0.2]}, {addresses: [10.0.0.999]}, {addresses: [10.0.0.3]}"));

    assertThat(endpoints()).contains("10.0.0.2", "10.0.0.3").doesNotContain("999", "10.0.0.1");
  }

  @Test
  void endpointsThatCannotBeReadStayAsTheyWere() {
    write(service("s", 80), proxy("a", "a.com", to("s")), slice("{addresses: [10.0.0.1]}"));
    List<ConfigObject> live =
        read(service("s", 80), proxy("a", "a.com", to("s")), slice("{adresses: [10.0.0.2]}"));
    fleet.change(live);
    assertThat(endpoints()).contains("10.0.0.1");
    assertThat(fleet.held()).containsExactly("e@2/1");

    write(slice("{addresses: [10.0.0.3]}"));
    assertThat(endpoints()).contains("10.0.0.3").doesNotContain("10.0.0.1");
    assertThat(fleet.held()).isEmpty();
  }
}
