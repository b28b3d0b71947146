// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.controlplane.hold;

import static dev.holdfast.controlplane.hold.Objects.host;
import static dev.holdfast.controlplane.hold.Objects.policy;
import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.base.NamePattern;
import dev.holdfast.config.ObjectKey;
import dev.holdfast.controlplane.authors.AuthorPolicy;
import dev.holdfast.controlplane.authors.ExtensionRules;
import dev.holdfast.controlplane.authors.HeaderRules;
import dev.holdfast.controlplane.authors.HostRule;
import dev.holdfast.controlplane.report.ProblemReport;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Rules for authors that become stricter take nothing away that is served. */
class StricterRulesTest {
  private static final ObjectKey POLICY = new ObjectKey("ExtensionPolicy", "default", "lua");
  private static final ObjectKey WEB = new ObjectKey("HTTPProxy", "default", "web");

  private static final AuthorPolicy NO_HOSTS =
      new AuthorPolicy(
          List.of(),
          List.of(new HostRule(List.of(new NamePattern("*")), List.of(new NamePattern("edge")))),
          ExtensionRules.ALL,
          HeaderRules.ALL);

  private final World world = new World().up();

  @BeforeEach
  void join() {
    world.join("e", /* delta= */ true);
  }

  @AfterEach
  void close() {
    world.close();
  }

  private void restart(AuthorPolicy authors) {
    world.kill();
    world.authors = authors;
    world.up().settle();
    world.advance(Duration.ofMinutes(2));
  }

  private String warning() {
    return String.join(
        " | ",
        world.problems().stream()
            .filter(problem -> problem.severity() == ProblemReport.Severity.WARNING)
            .map(problem -> problem.object() + " " + problem.message())
            .toList());
  }

  @Test
  void whatIsServedStaysAndIsListed() {
    world.write(host("web", 200) + policy("lua", "web")).settle();
    assertThat(world.said(POLICY)).isEqualTo("True/Programmed 1/1");

    restart(AuthorPolicy.SAFE);

    assertThat(world.said(POLICY)).isEqualTo("True/Programmed 1/1");
    assertThat(world.said(WEB)).isEqualTo("True/Programmed 1/1");
    assertThat(world.held()).isEmpty();
    assertThat(warning())
        .startsWith("ExtensionPolicy/default/lua f:")
        .contains("typedConfig: Lua code (LuaPerRoute), which the server does not allow")
        .contains("served because it was before");

    restart(AuthorPolicy.SAFE);
    assertThat(world.said(POLICY)).as("after one more restart").isEqualTo("True/Programmed 1/1");

    restart(AuthorPolicy.NONE);
    assertThat(warning()).as("when the rule is gone").isEmpty();
  }

  @Test
  void anEditOfItIsHeldAlsoAfterARestart() {
    world.write(host("web", 200) + policy("lua", "web")).settle();
    restart(AuthorPolicy.SAFE);

    world.write(policy("lua", "web").replace("(h) end", "(h) local x end")).settle();
    assertThat(world.held()).containsExactly("lua@2/1 Invalid");
    assertThat(world.problemsOf(POLICY).get(0)).contains("Lua code");
    world.write(host("web", 201)).settle();
    assertThat(world.said(WEB)).as("others go on").isEqualTo("True/Programmed 2/2");

    restart(AuthorPolicy.SAFE);
    assertThat(world.held()).containsExactly("lua@2/1 Invalid");
    assertThat(world.said(WEB)).isEqualTo("True/Programmed 2/2");

    world.write(policy("lua", "web")).settle();
    assertThat(world.said(POLICY)).as("the old text is an edit, too").endsWith(" 1/3");

    restart(AuthorPolicy.NONE);
    assertThat(world.held()).isEmpty();
    assertThat(world.said(POLICY)).isEqualTo("True/Programmed 3/3");
  }

  @Test
  void aNewObjectAndOneThatComesBackAreRefused() {
    world.write(host("web", 200) + policy("lua", "web")).settle();
    restart(AuthorPolicy.SAFE);

    world.write(host("new", 200) + policy("other", "new")).settle();
    assertThat(world.held())
        .containsExactlyInAnyOrder("other@1/0 InvalidNew", "new@1/0 DependencyRejected");

    world.delete(POLICY).settle();
    world.write(policy("lua", "web")).settle();
    assertThat(world.said(POLICY)).contains(" 0/");
    assertThat(world.held()).anyMatch(held -> held.startsWith("lua@"));
  }

  @Test
  void aHostThatAnotherNamespaceGetsStaysWithWhoHasIt() {
    world.write(host("web", 200)).settle();
    restart(NO_HOSTS);

    assertThat(world.said(WEB)).isEqualTo("True/Programmed 1/1");
    assertThat(warning()).contains("web.example.com, which the server does not allow in namespace");
    world.write(host("web", 201) + host("new", 200)).settle();
    assertThat(world.held()).containsExactlyInAnyOrder("web@2/1 Invalid", "new@1/0 InvalidNew");
  }
}
