// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.interop.serve.http;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.AfterParameterizedClassInvocation;
import org.junit.jupiter.params.BeforeParameterizedClassInvocation;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

/** What a query parameter must be for a route to be used. */
@ParameterizedClass
@EnumSource(Stage.Protocol.class)
@SuppressWarnings("NullAway.Init") // set by JUnit
class QueryConditionTest {
  private static final String YES = "yes";
  private static final String NO = "no";

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

  private static Site when(String condition) {
    return stage.routes(
        """
        - conditions: [{queryParameter: {name: q, %s}}]
          directResponsePolicy: {statusCode: 200, body: "yes"}
        - directResponsePolicy: {statusCode: 200, body: "no"}
        """
            .formatted(condition));
  }

  @Test
  void present() {
    Site site = when("present: true");

    assertThat(site.answers("/?q=1")).isEqualTo(YES);
    assertThat(site.answers("/?a=b&q")).isEqualTo(YES);
    assertThat(site.answers("/?qq=1")).isEqualTo(NO);
    assertThat(site.answers("/")).isEqualTo(NO);
  }

  @Test
  void exact() {
    Site site = when("exact: abc");

    assertThat(site.answers("/?q=abc")).isEqualTo(YES);
    assertThat(site.answers("/?q=ABC")).isEqualTo(NO);
    assertThat(site.answers("/?q=abcd")).isEqualTo(NO);
    assertThat(site.answers("/")).isEqualTo(NO);
  }

  @Test
  void prefix() {
    Site site = when("prefix: ab");

    assertThat(site.answers("/?q=abc")).isEqualTo(YES);
    assertThat(site.answers("/?q=cab")).isEqualTo(NO);
  }

  @Test
  void suffix() {
    Site site = when("suffix: bc");

    assertThat(site.answers("/?q=abc")).isEqualTo(YES);
    assertThat(site.answers("/?q=bca")).isEqualTo(NO);
  }

  @Test
  void contains() {
    Site site = when("contains: b");

    assertThat(site.answers("/?q=abc")).isEqualTo(YES);
    assertThat(site.answers("/?q=aBc")).isEqualTo(NO);
  }

  @Test
  void regexMatchesTheWholeValue() {
    Site site = when("regex: \"[0-9]+\"");

    assertThat(site.answers("/?q=123")).isEqualTo(YES);
    assertThat(site.answers("/?q=123a")).isEqualTo(NO);
  }

  @Test
  void caseCanBeIgnored() {
    assertThat(when("exact: abc, ignoreCase: true").answers("/?q=ABC")).isEqualTo(YES);
    assertThat(when("prefix: ab, ignoreCase: true").answers("/?q=ABc")).isEqualTo(YES);
    assertThat(when("suffix: bc, ignoreCase: true").answers("/?q=aBC")).isEqualTo(YES);
    assertThat(when("contains: b, ignoreCase: true").answers("/?q=aBc")).isEqualTo(YES);
  }
}
