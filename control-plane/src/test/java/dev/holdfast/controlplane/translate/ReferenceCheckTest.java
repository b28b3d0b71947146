// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.controlplane.translate;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Problems between objects are reported on the object whose author can fix them. */
class ReferenceCheckTest {
  private static final String SERVICE =
      "---\n{apiVersion: v1, kind: Service, metadata: {name: s}, spec: {ports: [{port: 80}]}}\n";

  private static String proxy(String name, String spec) {
    return "---\n{apiVersion: projectcontour.io/v1, kind: HTTPProxy, metadata: {name: "
        + name
        + "}, spec: {"
        + spec
        + "}}\n";
  }

  private static String root(String name, String rest) {
    return proxy(name, "virtualhost: {fqdn: " + name + ".com}, " + rest);
  }

  private static List<String> problems(String yaml) {
    List<String> problems = new ArrayList<>();
    ReferenceCheck.check(YamlObjects.list(yaml))
        .forEach(
            (key, found) -> found.forEach(problem -> problems.add(key + ": " + problem.problem())));
    return problems;
  }

  @Test
  void validReferencesHaveNoProblems() {
    assertThat(
            problems(
                SERVICE
                    + root(
                        "a",
                        "includes: [{name: b, conditions: [{prefix: /b}]}], routes: [{services:"
                            + " [{name: s, port: 80}]}]")
                    + proxy("b", "routes: [{services: [{name: s, port: 80}]}]")))
        .isEmpty();
  }

  @Test
  void serviceMustExistAndHaveThePort() {
    assertThat(
            problems(
                SERVICE
                    + root(
                        "a",
                        "routes: [{services: [{name: s, port: 81}]}, {conditions: [{prefix: /t}],"
                            + " services: [{name: t, port: 80}]}]")))
        .containsExactly(
            "HTTPProxy/default/a: spec.routes[0].services[0]: Service/default/s has no TCP port"
                + " 81 (expected: 80)",
            "HTTPProxy/default/a: spec.routes[1].services[0]: Service/default/t does not exist");
  }

  @Test
  void portsOfTheServiceAreListed() {
    String ports = "{ports: [{name: web, port: 80}, {name: metrics, port: 9090}]}";

    assertThat(
            problems(
                SERVICE.replace("{ports: [{port: 80}]}", ports)
                    + root("a", "routes: [{services: [{name: s, port: 8080}]}]")))
        .containsExactly(
            "HTTPProxy/default/a: spec.routes[0].services[0]: Service/default/s has no TCP port"
                + " 8080 (expected: 80 \"web\", 9090 \"metrics\")");
  }

  @Test
  void hostBelongsToOneRoot() {
    String vhost =
        "virtualhost: {fqdn: a.com}, routes: [{directResponsePolicy: {statusCode: 200}}]";

    assertThat(problems(proxy("a", vhost) + proxy("b", vhost)))
        .containsExactly(
            "HTTPProxy/default/b: spec.virtualhost.fqdn: a.com is also used by"
                + " HTTPProxy/default/a, which keeps it (expected: one proxy per host)");
  }

  @Test
  void includesMustResolveWithoutCycles() {
    assertThat(
            problems(
                root("a", "includes: [{name: b}, {name: none}, {name: r}]")
                    + proxy("b", "includes: [{name: c}]")
                    + proxy("c", "includes: [{name: b}]")
                    + root("r", "includes: [{name: b}]")))
        .containsExactly(
            "HTTPProxy/default/a: spec.includes[1]: HTTPProxy/default/none does not exist",
            "HTTPProxy/default/a: spec.includes[2]: HTTPProxy/default/r has a virtualhost"
                + " (expected: a proxy that has none)",
            "HTTPProxy/default/b: spec.includes[0]: an include cycle: b -> c -> b"
                + " (expected: no cycle)",
            "HTTPProxy/default/c: spec.includes[0]: an include cycle: c -> b -> c"
                + " (expected: no cycle)");
  }

  @Test
  void proxyWithoutIncluderIsOrphaned() {
    assertThat(problems(proxy("a", "routes: [{directResponsePolicy: {statusCode: 200}}]")))
        .containsExactly(
            "HTTPProxy/default/a: spec: orphaned (expected: a virtualhost, or another HTTPProxy"
                + " that includes this one)");
  }

  @Test
  void secretOfAnotherNamespaceNeedsADelegation() {
    String host =
        proxy(
            "a",
            "virtualhost: {fqdn: a.com, tls: {secretName: certs/one}}, routes:"
                + " [{directResponsePolicy: {statusCode: 200}}]");
    String secret =
        "---\n{apiVersion: v1, kind: Secret, metadata: {name: one, namespace: certs}}\n";
    String delegation =
        "---\n{apiVersion: projectcontour.io/v1, kind: TLSCertificateDelegation, metadata: {name:"
            + " d, namespace: certs}, spec: {delegations: [{secretName: one, targetNamespaces:"
            + " [default]}]}}\n";

    assertThat(problems(host + secret))
        .containsExactly(
            "HTTPProxy/default/a: spec.virtualhost.tls.secretName: Secret/certs/one is in another"
                + " namespace (expected: a TLSCertificateDelegation there for namespace default)");
    assertThat(problems(host + secret + delegation))
        .containsExactly(
            "HTTPProxy/default/a: spec.virtualhost.tls.secretName: Secret/certs/one holds no"
                + " server certificate (expected: type kubernetes.io/tls)");
    assertThat(problems(host + delegation))
        .containsExactly(
            "HTTPProxy/default/a: spec.virtualhost.tls.secretName: Secret/certs/one does not"
                + " exist");
  }

  @Test
  void cycleIsShownAsAPath() {
    assertThat(
            problems(
                root("r", "includes: [{name: a}]")
                    + proxy("a", "includes: [{name: b}]")
                    + proxy("b", "includes: [{name: c}]")
                    + proxy("c", "includes: [{name: a}]")))
        .contains(
            "HTTPProxy/default/a: spec.includes[0]: an include cycle: a -> b -> c -> a (expected:"
                + " no cycle)");
  }

  @Test
  void missingObjectIsSuggestedIfOneHasAlmostItsName() {
    assertThat(
            problems(
                SERVICE.replace("name: s}", "name: checkout}")
                    + root("a", "routes: [{services: [{name: chekout, port: 80}]}]")))
        .containsExactly(
            "HTTPProxy/default/a: spec.routes[0].services[0]: Service/default/chekout does not"
                + " exist (did you mean checkout?)");
  }

  @Test
  void fieldsThatCannotBeDecodedDoNotHideMissingReferences() {
    assertThat(
            problems(
                SERVICE
                    + root(
                        "a",
                        "routes: [{services: [{name: none, port: 80}], timeoutPolicy: {response: 5"
                            + " sec}}, {servces: [{name: none, port: 80}]}, {services: [{port:"
                            + " 80}]}]")))
        .containsExactly(
            "HTTPProxy/default/a: spec.routes[0].services[0]: Service/default/none does not exist",
            "HTTPProxy/default/a: spec.routes[0].timeoutPolicy.response: \"5 sec\" (expected: a"
                + " duration such as \"1h30m\", or \"infinity\")",
            "HTTPProxy/default/a: spec.routes[1]: no action (expected: exactly one of services,"
                + " requestRedirectPolicy, directResponsePolicy)",
            "HTTPProxy/default/a: spec.routes[1].servces: unknown field (did you mean services?)",
            "HTTPProxy/default/a: spec.routes[2].services[0].name: missing");
  }
}
