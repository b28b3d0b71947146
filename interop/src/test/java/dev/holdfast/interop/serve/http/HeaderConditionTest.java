// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.interop.serve.http;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.AfterParameterizedClassInvocation;
import org.junit.jupiter.params.BeforeParameterizedClassInvocation;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

/** What a header must be for a route to be used. */
@ParameterizedClass
@EnumSource(Stage.Protocol.class)
@SuppressWarnings("NullAway.Init") // set by JUnit
class HeaderConditionTest {
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
        - conditions: [{header: {%s}}]
          directResponsePolicy: {statusCode: 200, body: "yes"}
        - directResponsePolicy: {statusCode: 200, body: "no"}
        """
            .formatted(condition));
  }

  @Test
  void present() {
    Site site = when("name: X-A, present: true");

    assertThat(site.answers("/", "x-a", "1")).isEqualTo(YES);
    assertThat(site.answers("/", "x-a", "")).isEqualTo(YES);
    assertThat(site.answers("/")).isEqualTo(NO);
    assertThat(site.answers("/", "x-b", "1")).isEqualTo(NO);
  }

  @Test
  void notPresent() {
    Site site = when("name: x-a, notpresent: true");

    assertThat(site.answers("/")).isEqualTo(YES);
    assertThat(site.answers("/", "x-a", "1")).isEqualTo(NO);
    assertThat(site.answers("/", "x-a", "")).isEqualTo(NO);
  }

  @Test
  void contains() {
    Site site = when("name: x-a, contains: bc");

    assertThat(site.answers("/", "x-a", "abcd")).isEqualTo(YES);
    assertThat(site.answers("/", "x-a", "aBCd")).isEqualTo(NO);
    assertThat(site.answers("/", "x-a", "bd")).isEqualTo(NO);
    assertThat(site.answers("/")).isEqualTo(NO);
  }

  @Test
  void notContains() {
    Site site = when("name: x-a, notcontains: bc");

    assertThat(site.answers("/", "x-a", "bd")).isEqualTo(YES);
    assertThat(site.answers("/", "x-a", "abcd")).isEqualTo(NO);
    assertThat(site.answers("/")).isEqualTo(NO);
  }

  @Test
  void exact() {
    Site site = when("name: x-a, exact: abc");

    assertThat(site.answers("/", "x-a", "abc")).isEqualTo(YES);
    assertThat(site.answers("/", "x-a", "ABC")).isEqualTo(NO);
    assertThat(site.answers("/", "x-a", "abcd")).isEqualTo(NO);
    assertThat(site.answers("/")).isEqualTo(NO);
  }

  @Test
  void notExact() {
    Site site = when("name: x-a, notexact: abc");

    assertThat(site.answers("/", "x-a", "abcd")).isEqualTo(YES);
    assertThat(site.answers("/", "x-a", "abc")).isEqualTo(NO);
    assertThat(site.answers("/")).isEqualTo(NO);
  }

  @Test
  void regexMatchesTheWholeValue() {
    Site site = when("name: x-a, regex: \"[a-c]+[0-9]\"");

    assertThat(site.answers("/", "x-a", "abc1")).isEqualTo(YES);
    assertThat(site.answers("/", "x-a", "abc12")).isEqualTo(NO);
    assertThat(site.answers("/", "x-a", "abc")).isEqualTo(NO);
    assertThat(site.answers("/")).isEqualTo(NO);
  }

  @Test
  void caseCanBeIgnored() {
    Site exact = when("name: x-a, exact: abc, ignoreCase: true");
    assertThat(exact.answers("/", "x-a", "aBC")).isEqualTo(YES);
    assertThat(exact.answers("/", "x-a", "aBCd")).isEqualTo(NO);

    Site notContains = when("name: x-a, notcontains: bc, ignoreCase: true");
    assertThat(notContains.answers("/", "x-a", "aBCd")).isEqualTo(NO);
    assertThat(notContains.answers("/", "x-a", "aBd")).isEqualTo(YES);
  }

  @Test
  void aMissingHeaderCanCountAsEmpty() {
    Site notExact = when("name: x-a, notexact: abc, treatMissingAsEmpty: true");
    assertThat(notExact.answers("/")).isEqualTo(YES);
    assertThat(notExact.answers("/", "x-a", "abc")).isEqualTo(NO);

    Site notContains = when("name: x-a, notcontains: bc, treatMissingAsEmpty: true");
    assertThat(notContains.answers("/")).isEqualTo(YES);
    assertThat(notContains.answers("/", "x-a", "abcd")).isEqualTo(NO);
  }

  @Test
  void theHostIsAHeaderToo() {
    assertThat(when("name: Host, contains: site").answers("/")).isEqualTo(YES);
    assertThat(when("name: Host, contains: elsewhere").answers("/")).isEqualTo(NO);
  }
}
