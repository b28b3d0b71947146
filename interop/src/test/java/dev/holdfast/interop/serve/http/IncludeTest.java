// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.interop.serve.http;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.AfterParameterizedClassInvocation;
import org.junit.jupiter.params.BeforeParameterizedClassInvocation;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

/** Routes that other objects have. */
@ParameterizedClass
@EnumSource(Stage.Protocol.class)
@SuppressWarnings("NullAway.Init") // set by JUnit
class IncludeTest {
  private static Stage stage;

  @Parameter Stage.Protocol protocol;

  @BeforeParameterizedClassInvocation
  static void start(Stage.Protocol protocol) {
    stage = Stage.start(protocol);
  }

  @AfterParameterizedClassInvocation
  static void stop() {
    stage.close();
  }

  private static String answering(String text) {
    return "directResponsePolicy: {statusCode: 200, body: " + text + "}";
  }

  @Test
  void pathsArePutOneAfterTheOther() {
    stage.child(
        "default",
        "blog",
        """
        routes:
        - %s
        - conditions: [{prefix: /posts}]
          %s
        - conditions: [{exact: /about}]
          %s
        - conditions: [{regex: "/[0-9]+"}]
          %s
        """
            .formatted(
                answering("blog"), answering("posts"), answering("about"), answering("number")));
    Site site =
        stage.root(
            "",
            """
            includes: [{name: blog, conditions: [{prefix: /blog}]}]
            routes: [{%s}]
            """
                .formatted(answering("root")));
    stage.plane.awaitProgrammed("HTTPProxy/default/blog", 1);

    assertThat(site.answers("/")).isEqualTo("root");
    assertThat(site.answers("/blog")).isEqualTo("blog");
    assertThat(site.answers("/blog/posts/1")).isEqualTo("posts");
    assertThat(site.answers("/posts")).isEqualTo("root");
    assertThat(site.answers("/blog/about")).isEqualTo("about");
    assertThat(site.answers("/blog/about/us")).isEqualTo("blog");
    assertThat(site.answers("/blog/42")).isEqualTo("number");
  }

  @Test
  void conditionsOfAllIncludesOnTheWayMustHold() {
    stage.child(
        "default",
        "leaf",
        """
        routes:
        - conditions: [{prefix: /leaf}, {header: {name: x-leaf, exact: l}}]
          %s
        """
            .formatted(answering("leaf")));
    stage.child(
        "default",
        "branch",
        """
        includes:
        - name: leaf
          conditions:
          - prefix: /branch
          - queryParameter: {name: branch, exact: b}
        """);
    Site site =
        stage.root(
            "",
            """
            includes:
            - name: branch
              conditions:
              - prefix: /root
              - header: {name: x-root, notexact: r, treatMissingAsEmpty: true}
            routes: [{%s}]
            """
                .formatted(answering("root")));

    String path = "/root/branch/leaf";
    assertThat(site.answers(path + "?branch=b", "x-leaf", "l")).isEqualTo("leaf");
    assertThat(site.answers(path + "?branch=b", "x-leaf", "l", "x-root", "r")).isEqualTo("root");
    assertThat(site.answers(path + "?branch=b")).isEqualTo("root");
    assertThat(site.answers(path + "?branch=c", "x-leaf", "l")).isEqualTo("root");
    assertThat(site.answers("/root/leaf?branch=b", "x-leaf", "l")).isEqualTo("root");
  }

  /** Each kind once; what they mean is the same as in a route. */
  @Test
  void includesTakeEveryKindOfHeaderAndQueryCondition() {
    stage.child("default", "kinds", "routes: [{" + answering("included") + "}]");
    Site site =
        stage.root(
            "",
            """
            includes:
            - {name: kinds, conditions: [{header: {name: x-k, exact: a}}]}
            - {name: kinds, conditions: [{header: {name: x-k, exact: b, ignoreCase: true}}]}
            - {name: kinds, conditions: [{header: {name: x-k, contains: cc}}]}
            - {name: kinds, conditions: [{header: {name: x-k, regex: "d+"}}]}
            - {name: kinds, conditions: [{header: {name: x-p, present: true}}]}
            - name: kinds
              conditions:
              - header: {name: x-n, notpresent: true}
              - header: {name: x-k, notexact: e}
              - header: {name: x-k, notcontains: ff}
              - queryParameter: {name: n, present: true}
            - {name: kinds, conditions: [{queryParameter: {name: q, exact: a}}]}
            - {name: kinds, conditions: [{queryParameter: {name: q, exact: b, ignoreCase: true}}]}
            - {name: kinds, conditions: [{queryParameter: {name: q, prefix: c-}}]}
            - {name: kinds, conditions: [{queryParameter: {name: q, suffix: -d}}]}
            - {name: kinds, conditions: [{queryParameter: {name: q, contains: ee}}]}
            - {name: kinds, conditions: [{queryParameter: {name: q, regex: "f+"}}]}
            """);

    for (String value : new String[] {"a", "B", "xccx", "ddd"}) {
      assertThat(site.answers("/", "x-k", value)).as("x-k: " + value).isEqualTo("included");
    }
    assertThat(site.answers("/", "x-p", "")).isEqualTo("included");
    assertThat(site.answers("/?n", "x-k", "x")).isEqualTo("included");
    for (String value : new String[] {"a", "B", "c-x", "x-d", "xeex", "fff"}) {
      assertThat(site.answers("/?q=" + value)).as("q=" + value).isEqualTo("included");
    }
    assertThat(site.answers("/", "x-k", "A")).isEqualTo("404");
    assertThat(site.answers("/?q=A")).isEqualTo("404");
    assertThat(site.answers("/?n", "x-k", "x", "x-n", "1")).isEqualTo("404");
    assertThat(site.answers("/?n", "x-k", "e")).isEqualTo("404");
    assertThat(site.answers("/?n", "x-k", "xffx")).isEqualTo("404");
    assertThat(site.answers("/?n")).isEqualTo("404");
  }

  @Test
  void anotherNamespaceBringsServicesOfItsOwn() {
    stage.plane.write(
        "team-service.yaml",
        """
        apiVersion: v1
        kind: Service
        metadata: {name: one, namespace: team}
        spec: {ports: [{name: http, port: 80}]}
        ---
        apiVersion: discovery.k8s.io/v1
        kind: EndpointSlice
        metadata: {name: one, namespace: team, labels: {kubernetes.io/service-name: one}}
        addressType: IPv4
        ports: [{name: http, port: %d}]
        endpoints: [{addresses: [127.0.0.1]}]
        """
            .formatted(stage.two.port()));
    stage.child("team", "theirs", "routes: [{services: [{name: one, port: 80}]}]");
    Site site =
        stage.root(
            "",
            """
            includes: [{name: theirs, namespace: team, conditions: [{prefix: /team}]}]
            routes: [{services: [{name: one, port: 80}]}]
            """);

    assertThat(site.answers("/")).isEqualTo("one");
    assertThat(site.answers("/team")).isEqualTo("two");
  }

  @Test
  void aChildMayBelongToSeveralRoots() {
    stage.child("default", "shared", "routes: [{" + answering("shared") + "}]");
    Site first = stage.root("", "includes: [{name: shared}]");
    Site second = stage.root("", "includes: [{name: shared, conditions: [{prefix: /s}]}]");

    assertThat(first.answers("/")).isEqualTo("shared");
    assertThat(second.answers("/s")).isEqualTo("shared");
    assertThat(second.answers("/")).isEqualTo("404");
  }

  @Test
  void whatCannotBeIncludedAnswers502AndTheRestIsServed() {
    String name =
        stage.write(
            "holes.example.com",
            "",
            """
            includes:
            - {name: nowhere, conditions: [{prefix: /missing}]}
            - {name: other-root.example.com, conditions: [{prefix: /root}]}
            routes: [{%s}]
            """
                .formatted(answering("rest")));
    stage.root("other-root.example.com", "", "routes: [{" + answering("other") + "}]");

    String key = "HTTPProxy/default/" + name;
    assertThat(stage.plane.awaitSaid(key, "Valid", "ErrorPresent").message())
        .contains("spec.includes[0]: HTTPProxy/default/nowhere does not exist");
    stage.plane.awaitSaid(key, "Programmed", "Invalid");
    Site site = stage.site("holes.example.com");
    assertThat(site.answers("/missing/x")).isEqualTo("502");
    stage.admin().await("the other root is seen", () -> site.answers("/root").equals("502"));
    assertThat(site.answers("/")).isEqualTo("rest");

    stage.child("default", "nowhere", "routes: [{" + answering("found") + "}]");
    stage.plane.awaitProgrammed("HTTPProxy/default/nowhere", 1);
    assertThat(site.answers("/missing/x")).isEqualTo("found");
  }

  @Test
  void aCircleOfIncludesIsCutWithA502AndTheRestIsServed() {
    stage.child(
        "default",
        "round",
        """
        includes: [{name: and-round, conditions: [{prefix: /and}]}]
        routes: [{%s}]
        """
            .formatted(answering("round")));
    stage.child("default", "and-round", "includes: [{name: round, conditions: [{prefix: /on}]}]");
    Site site = stage.root("", "includes: [{name: round}]");

    assertThat(stage.plane.awaitSaid("HTTPProxy/default/round", "Valid", "ErrorPresent").message())
        .contains("spec.includes[0]: an include cycle: round -> and-round -> round");
    assertThat(site.answers("/")).isEqualTo("round");
    assertThat(site.answers("/and/on")).isEqualTo("502");
  }

  @Test
  void whatNobodyIncludesIsAnOrphanUntilSomebodyDoes() {
    stage.child("default", "orphan", "routes: [{" + answering("adopted") + "}]");

    String key = "HTTPProxy/default/orphan";
    assertThat(stage.plane.awaitSaid(key, "Programmed", "NotReferenced").message())
        .contains("no served root HTTPProxy includes this object");

    Site site = stage.root("", "includes: [{name: orphan}]");
    stage.plane.awaitProgrammed(key, 1);
    assertThat(site.answers("/")).isEqualTo("adopted");
  }
}
