// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.controlplane.hold;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.config.ObjectKey;
import dev.holdfast.testkit.envoy.AnswerMode;
import dev.holdfast.testkit.envoy.FakeEnvoy;
import dev.holdfast.testkit.envoy.Validator;
import io.envoyproxy.envoy.config.cluster.v3.Cluster;
import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The served generation of an object is the one that a request gets an answer from. */
class ServedGenerationTest {
  private static final ObjectKey WEB = Objects.proxy("web");

  private final World world = new World().up();
  private FakeEnvoy envoy;

  @BeforeEach
  void join() {
    envoy = world.join("e", /* delta= */ true);
    world.write(Objects.host("other", 201)).settle();
  }

  @AfterEach
  void close() {
    world.close();
  }

  /** A host with a field that does not exist. */
  private static String misspelt(String name) {
    return Objects.host(name, 200).replace("routes: [", "routes: [{oops: 1}, ");
  }

  /** A host nothing of which can be served. */
  private static String unreadable(String name) {
    return Objects.host(name, 200).replace("routes: [", "routes: 5, oops: [");
  }

  private static String claiming(String name, String fqdnOf) {
    return Objects.host(name, 209).replace(Objects.fqdn(name), Objects.fqdn(fqdnOf));
  }

  private int answer(String name) {
    return envoy.route(Objects.fqdn(name), "/").status();
  }

  @Test
  void aNewInvalidObjectIsNotServed() {
    world.write(unreadable("web")).settle();

    assertThat(world.said(WEB)).isEqualTo("False/InvalidNew 0/1");
    assertThat(answer("web")).isEqualTo(404);

    world.write(unreadable("web").replace("5", "6")).settle();
    assertThat(world.said(WEB)).isEqualTo("False/InvalidNew 0/2");

    world.kill();
    world.up().settle();
    assertThat(world.said(WEB)).as("after a restart").isEqualTo("False/InvalidNew 0/2");

    world.write(Objects.host("web", 202)).settle();
    assertThat(world.said(WEB)).isEqualTo("True/Programmed 3/3");
    assertThat(answer("web")).isEqualTo(202);
  }

  @Test
  void afterAnInvalidGenerationNothingIsTheLastGoodOne() {
    world.write(unreadable("web")).settle();

    world.write(Objects.bad("web", 202)).settle();
    assertThat(world.said(WEB)).isEqualTo("False/RejectedNew 0/2");
    assertThat(world.held()).containsExactly("web@2/0 RejectedNew");

    world.write(claiming("web", "other")).settle();
    assertThat(world.said(WEB)).isEqualTo("False/Conflict 0/3");
    assertThat(world.held()).containsExactly("web@3/0 Conflict");
    assertThat(answer("other")).isEqualTo(201);

    world.kill();
    world.up().settle();
    assertThat(world.said(WEB)).as("after a restart").isEqualTo("False/Conflict 0/3");
    assertThat(world.held()).containsExactly("web@3/0 Conflict");

    world.write(Objects.host("web", 202)).settle();
    assertThat(world.said(WEB)).isEqualTo("True/Programmed 4/4");
  }

  @Test
  void aNewObjectThatIsServedInPartIsServed() {
    String toNothing = "{conditions: [{prefix: /x}], services: [{name: none, port: 80}]}, ";
    world.write(Objects.host("web", 200).replace("routes: [", "routes: [" + toNothing)).settle();

    assertThat(world.said(WEB)).isEqualTo("False/Invalid 1/1");
    assertThat(answer("web")).isEqualTo(200);
  }

  @Test
  void anInvalidEditLeavesTheServedGeneration() {
    world.write(Objects.host("web", 202)).settle();
    world.write(misspelt("web")).settle();

    assertThat(world.said(WEB)).isEqualTo("False/Invalid 1/2");
    assertThat(answer("web")).isEqualTo(202);

    world.write(unreadable("web")).settle();
    assertThat(world.said(WEB)).isEqualTo("False/Invalid 1/3");
    assertThat(answer("web")).isEqualTo(202);

    world.kill();
    world.up().settle();
    assertThat(world.said(WEB)).as("after a restart").isEqualTo("False/Invalid 1/3");
    assertThat(answer("web")).isEqualTo(202);
  }

  @Test
  void aRefusedEditLeavesTheServedGeneration() {
    world.write(Objects.host("web", 202)).settle();
    world.write(Objects.bad("web", 203)).settle();

    assertThat(world.said(WEB)).isEqualTo("False/Rejected 1/2");
    assertThat(answer("web")).isEqualTo(202);

    world.write(Objects.bad("new", 203)).settle();
    assertThat(world.said(Objects.proxy("new"))).isEqualTo("False/RejectedNew 0/1");
    assertThat(answer("new")).isEqualTo(404);
  }

  @Test
  void aNewcomerThatClaimsTheHostOfAnotherObjectIsNotServed() {
    world.write(Objects.host("web", 202)).settle();
    world.write(claiming("thief", "web")).settle();

    assertThat(world.said(Objects.proxy("thief"))).isEqualTo("False/Conflict 0/1");
    assertThat(world.said(WEB)).isEqualTo("True/Programmed 1/1");
    assertThat(answer("web")).isEqualTo(202);

    world.delete(WEB).settle();
    assertThat(world.said(Objects.proxy("thief"))).isEqualTo("True/Programmed 1/1");
    assertThat(answer("web")).isEqualTo(209);
  }

  @Test
  void anEditThatClaimsTheHostOfAnotherObjectLeavesTheServedGeneration() {
    world.write(Objects.host("web", 202) + Objects.host("b", 203)).settle();
    world.write(claiming("b", "web")).settle();

    assertThat(world.said(Objects.proxy("b"))).isEqualTo("False/Conflict 1/2");
    assertThat(answer("b")).isEqualTo(203);
    assertThat(answer("web")).isEqualTo(202);
  }

  @Test
  void anObjectThatWaitsForAHeldOneLeavesTheServedGeneration() {
    world.part("e");
    envoy =
        world.join(
            "e",
            /* delta= */ true,
            Validator.on(
                Cluster.class,
                cluster -> cluster.getName().contains("/bad/") ? "no such thing" : null));
    world.write(Objects.host("web", 202)).settle();
    world
        .write(
            Objects.forward("web", "bad")
                + Objects.forward("new", "bad")
                + Objects.service("bad", "10.0.0.1"))
        .settle();

    assertThat(world.statuses())
        .containsEntry("Service/bad", "False/RejectedNew 0/1")
        .containsEntry("HTTPProxy/web", "False/DependencyRejected 1/2")
        .containsEntry("HTTPProxy/new", "False/DependencyRejected 0/1");
    assertThat(answer("web")).isEqualTo(202);
    assertThat(answer("new")).isEqualTo(404);
  }

  @Test
  void anObjectOnTrialIsServedInItsOldGeneration() {
    world.write(Objects.host("web", 202)).settle();
    world.wiring.clog(true);
    world.write(Objects.host("web", 203)).settle();

    assertThat(world.said(WEB)).isEqualTo("Unknown/Pending 1/2");
    assertThat(answer("web")).isEqualTo(202);

    world.write(Objects.host("new", 204)).settle();
    assertThat(world.said(Objects.proxy("new"))).isEqualTo("Unknown/Pending 0/1");

    world.wiring.clog(false);
    world.settle();
    assertThat(world.said(WEB)).isEqualTo("True/Programmed 2/2");
    assertThat(world.said(Objects.proxy("new"))).isEqualTo("True/Programmed 1/1");
    assertThat(answer("web")).isEqualTo(203);
  }

  @Test
  void aNewerGenerationOnTrialIsNotCountedAsRejected() {
    world.write(Objects.host("web", 202)).settle();
    world.write(Objects.bad("web", 203)).settle();
    world.wiring.clog(true);
    world.write(Objects.host("web", 204)).settle();

    assertThat(world.said(WEB)).isEqualTo("Unknown/Pending 1/3");
    assertThat(world.rejectedBy(WEB)).isZero();

    world.wiring.clog(false);
    world.settle();
    assertThat(world.said(WEB)).isEqualTo("True/Programmed 3/3");
  }

  @Test
  void anObjectThatNothingServedRefersToAnyMoreIsNotServed() {
    String root =
        """
        ---
        apiVersion: projectcontour.io/v1
        kind: HTTPProxy
        metadata: {name: root}
        spec: {virtualhost: {fqdn: root.example.com}, includes: [{name: child}]}
        ---
        apiVersion: projectcontour.io/v1
        kind: HTTPProxy
        metadata: {name: child}
        spec: {routes: [{directResponsePolicy: {statusCode: 205}}]}
        """;
    world.write(root).settle();
    assertThat(world.said(Objects.proxy("child"))).isEqualTo("True/Programmed 1/1");

    world.delete(Objects.proxy("root")).settle();

    assertThat(world.said(Objects.proxy("child"))).isEqualTo("False/NotReferenced 0/1");
    assertThat(answer("root")).isEqualTo(404);
  }

  @Test
  void withoutProxiesTheServedGenerationIsTheOneThatTheyRanLast() {
    world.write(Objects.host("web", 202)).settle();
    world.part("e");
    world.settle().advance(Duration.ofMinutes(2));
    assertThat(world.said(WEB)).isEqualTo("Unknown/NoDataPlane 1/1");

    world.write(Objects.host("web", 203) + Objects.host("new", 204)).settle();

    assertThat(world.said(WEB)).isEqualTo("Unknown/NoDataPlane 1/2");
    assertThat(world.said(Objects.proxy("new"))).isEqualTo("Unknown/NoDataPlane 0/1");

    world.write(misspelt("web")).settle();
    assertThat(world.said(WEB)).isEqualTo("False/Invalid 1/3");
  }

  @Test
  void whereNoProxyEverWasNothingIsServed() {
    World empty = new World().up();
    empty.write(Objects.host("web", 202) + unreadable("bad")).settle();

    assertThat(empty.said(WEB)).isEqualTo("Unknown/NoDataPlane 0/1");
    assertThat(empty.said(Objects.proxy("bad"))).isEqualTo("False/InvalidNew 0/1");
    empty.kill();
  }

  @Test
  void aProxyThatCannotRunItDoesNotTakeItFromTheOthers() {
    world.join("e2", /* delta= */ false);
    world.write(Objects.host("web", 202)).settle();
    world.envoy("e2").conduct(AnswerMode.SILENT);
    world.write(Objects.host("web", 203)).settle();
    world.advance(Duration.ofSeconds(15)); // until it is taken for lost, and others are asked
    world.settle();

    assertThat(answer("web")).isEqualTo(203);
    assertThat(world.said(WEB)).isEqualTo("Unknown/Pending 2/2");
  }

  @Test
  void endpointsThatOnlySomeProxiesRunAreServedAfterARestart() {
    ObjectKey slice = new ObjectKey("EndpointSlice", "default", "s-1");
    world.join("e2", /* delta= */ false);
    world.write(Objects.forward("web", "s") + Objects.service("s", "10.0.0.1")).settle();
    world.envoy("e2").conduct(AnswerMode.SILENT);
    world.write(Objects.service("s", "10.0.0.2")).settle();
    assertThat(world.said(slice)).isEqualTo("Unknown/Pending 2/2");

    world.kill();
    world.part("e");
    world.part("e2");
    world.up().settle();

    assertThat(world.said(slice)).endsWith(" 2/2");
  }

  @Test
  void endpointsThatRanBeforeThereWasABaselineAreServedAfterARestart() {
    World empty = new World().up();
    ObjectKey slice = new ObjectKey("EndpointSlice", "default", "s-1");
    empty.write(Objects.forward("web", "s") + Objects.service("s", "10.0.0.1")).settle();
    empty.join("e", /* delta= */ true);
    empty.settle();
    assertThat(empty.said(slice)).isEqualTo("True/Programmed 1/1");

    empty.kill();
    empty.part("e");
    empty.up().settle();

    assertThat(empty.said(slice)).endsWith(" 1/1");
    empty.kill();
  }
}
