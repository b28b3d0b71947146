// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.xds.client.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.holdfast.xds.client.engine.ResourceName.MalformedException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class ResourceNameTest {
  private static final String TYPE = "envoy.config.listener.v3.Listener";

  private static ResourceName parse(String name) throws MalformedException {
    return ResourceName.parse(name, TYPE, /* federation= */ true);
  }

  @ParameterizedTest
  @ValueSource(strings = {"foo", "a/b?c=d", "http://x/y", "xds:foo", "XDSTP://a/b/c", ""})
  void otherNamesAreTakenAsTheyAre(String name) throws MalformedException {
    assertThat(parse(name)).isEqualTo(new ResourceName(null, name));
  }

  @Test
  void anXdstpNameHasAnAuthority() throws MalformedException {
    ResourceName name = parse("xdstp://auth/" + TYPE + "/foo/bar");

    assertThat(name.authority()).isEqualTo("auth");
    assertThat(name.canonical()).isEqualTo("xdstp://auth/" + TYPE + "/foo/bar");
  }

  @Test
  void theAuthorityMayBeEmptyWhichIsNotTheSameAsNone() throws MalformedException {
    assertThat(parse("xdstp:///" + TYPE + "/foo").authority()).isEmpty();
  }

  @ParameterizedTest
  @CsvSource({
    "b=2&a=1, a=1&b=2",
    "a=1&b=2, a=1&b=2",
    "a=1, a=1",
    "k=x=y&j=, j=&k=x=y",
    "a-b=2&a=1, a=1&a-b=2", // by key, not by the whole text
    "a=2&a=1, a=1&a=2",
  })
  void parametersAreSortedByKey(String given, String canonical) throws MalformedException {
    assertThat(parse("xdstp://auth/" + TYPE + "/foo?" + given).canonical())
        .isEqualTo("xdstp://auth/" + TYPE + "/foo?" + canonical);
  }

  @Test
  void anEmptyQueryIsNoQuery() throws MalformedException {
    assertThat(parse("xdstp://auth/" + TYPE + "/foo?"))
        .isEqualTo(parse("xdstp://auth/" + TYPE + "/foo"));
  }

  @ParameterizedTest
  @ValueSource(strings = {"foo", "foo?z=1&a=2", "a/b/c?k=v"})
  void theCanonicalFormIsItsOwn(String id) throws MalformedException {
    ResourceName once = parse("xdstp://auth/" + TYPE + "/" + id);

    assertThat(parse(once.canonical())).isEqualTo(once);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "xdstp:",
        "xdstp:foo",
        "xdstp:/auth/type/id",
        "xdstp://",
        "xdstp://auth",
        "xdstp://auth/",
        "xdstp://auth/" + TYPE,
        "xdstp://auth/" + TYPE + "/",
        "xdstp://auth//foo",
        "xdstp://auth/" + TYPE + "/foo?novalue",
        "xdstp://auth/" + TYPE + "/foo?=v",
        "xdstp://auth/" + TYPE + "/foo?a=1&&b=2",
      })
  void whatOnlyBeginsLikeAnXdstpNameIsMalformed(String name) {
    assertThatThrownBy(() -> parse(name))
        .isInstanceOf(MalformedException.class)
        .hasMessageContaining(name)
        .hasMessageContaining("expected: xdstp://AUTHORITY/TYPE/ID");
  }

  @Test
  void theTypeInTheNameMustBeTheResources() {
    assertThatThrownBy(() -> parse("xdstp://auth/envoy.config.cluster.v3.Cluster/foo"))
        .isInstanceOf(MalformedException.class)
        .hasMessage("type envoy.config.cluster.v3.Cluster in the name (expected: " + TYPE + ")");
  }

  @ParameterizedTest
  @ValueSource(strings = {"xdstp:foo", "xdstp://auth/" + TYPE + "/foo?b=1&a=2"})
  void withoutFederationEveryNameIsOpaque(String name) throws MalformedException {
    assertThat(ResourceName.parse(name, TYPE, /* federation= */ false))
        .isEqualTo(new ResourceName(null, name));
  }
}
