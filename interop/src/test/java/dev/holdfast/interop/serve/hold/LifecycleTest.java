// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.interop.serve.hold;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.interop.serve.Plane;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.AfterParameterizedClassInvocation;
import org.junit.jupiter.params.BeforeParameterizedClassInvocation;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.ValueSource;

/** What authors may do next with an object that is held. */
@ParameterizedClass
@ValueSource(strings = {"real delta", "real sotw", "fake delta", "fake sotw"})
record LifecycleTest(String kind) {
  @SuppressWarnings("NullAway.Init") // before the first test
  private static Scene scene;

  @BeforeParameterizedClassInvocation
  static void start(String kind) {
    scene = Scene.start(kind, "other.yaml", Hosts.good("other", "one"));
    scene.plane().awaitProgrammed(key("other"), 1);
  }

  @AfterParameterizedClassInvocation
  static void stop() {
    scene.awaitGet(Hosts.fqdn("other"), "/", "200 one");
    scene.close();
  }

  private static String key(String name) {
    return "HTTPProxy/default/" + name;
  }

  private static Plane plane() {
    return scene.plane();
  }

  /** Generation 2 of a host is held, and generation 1 served. */
  private static void hold(String name) {
    plane().write(name + ".yaml", Hosts.good(name, "one"));
    plane().awaitProgrammed(key(name), 1);
    plane().write(name + ".yaml", Hosts.bad(name, "two"));
    plane().awaitSaid(key(name), "Programmed", "Rejected");
    expect(name, "200 one");
  }

  private static void expect(String name, String answer) {
    scene.awaitGet(Hosts.fqdn(name), "/", answer);
  }

  @Test
  void aFixIsServed() {
    hold("fixed");
    plane().write("fixed.yaml", Hosts.good("fixed", "two"));
    plane().awaitProgrammed(key("fixed"), 3);
    expect("fixed", "200 two");
    scene.awaitHeld();
  }

  @Test
  void aRevertNeedsNoTrial() {
    hold("reverted");
    long responses = plane().metric("holdfast_responses_total");
    plane().write("reverted.yaml", Hosts.good("reverted", "one"));
    plane().awaitProgrammed(key("reverted"), 3);
    assertThat(plane().metric("holdfast_responses_total")).isEqualTo(responses);
    expect("reverted", "200 one");
    scene.awaitHeld();
  }

  @Test
  void aDeletionTakesTheLastGoodGenerationAwayAtOnce() {
    hold("deleted");
    plane().delete("deleted.yaml");
    expect("deleted", "404");
    scene.awaitHeld();

    // The same mistake again is known, and so is nobody's host any more.
    long nacks = scene.nacks();
    plane().write("deleted.yaml", Hosts.bad("deleted", "two"));
    plane().awaitSaid(key("deleted"), "Programmed", "RejectedNew");
    assertThat(scene.nacks()).isEqualTo(nacks);
    expect("deleted", "404");

    plane().write("deleted.yaml", Hosts.good("deleted", "two"));
    expect("deleted", "200 two");
    scene.awaitHeld();
  }

  @Test
  void underAnotherNameItIsAnotherObject() {
    hold("named");
    long nacks = scene.nacks();
    plane()
        .write("named.yaml", Hosts.bad("named", "two").replace("name: named,", "name: renamed,"));
    plane().awaitSaid(key("renamed"), "Programmed", "RejectedNew");
    expect("named", "404"); // nobody has this host any more but one who never had a good generation
    assertThat(scene.held()).containsExactly("renamed@1/0 RejectedNew");
    assertThat(scene.nacks() - nacks).isLessThanOrEqualTo(1);

    plane()
        .write("named.yaml", Hosts.good("named", "two").replace("name: named,", "name: renamed,"));
    plane().awaitProgrammed(key("renamed"), 2);
    expect("named", "200 two");
    scene.awaitHeld();
  }

  @Test
  void anEditThatChangesNothingForEnvoyIsNotTried() {
    hold("same");
    long nacks = scene.nacks();
    long responses = plane().metric("holdfast_responses_total");
    plane().write("same.yaml", inOtherWords(Hosts.bad("same", "two")));
    plane().awaitMessage(key("same"), "Programmed", "generation 3 rejected");
    assertThat(plane().said(key("same"), "Programmed").message()).endsWith("serving generation 1");
    assertThat(scene.nacks()).isEqualTo(nacks);
    assertThat(plane().metric("holdfast_responses_total")).isEqualTo(responses);

    // Nor does one of an object that is served.
    plane().write("same.yaml", Hosts.good("same", "one"));
    plane().awaitProgrammed(key("same"), 4);
    plane().write("same.yaml", inOtherWords(Hosts.good("same", "one")));
    plane().awaitProgrammed(key("same"), 5);
    assertThat(plane().metric("holdfast_responses_total")).isEqualTo(responses);
    scene.awaitHeld();
  }

  /** The same with what is meant anyway. */
  private static String inOtherWords(String host) {
    return host.replace("port: 80}", "port: 80, mirror: false}");
  }
}
