// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.controlplane.rollout.search;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.ByteString;
import dev.holdfast.base.PersistentMap;
import dev.holdfast.config.ConfigObject;
import dev.holdfast.config.ObjectKey;
import dev.holdfast.controlplane.rollout.Policies;
import dev.holdfast.controlplane.rollout.selection.Bundle;
import dev.holdfast.controlplane.snapshot.Resource;
import dev.holdfast.controlplane.snapshot.ResourceId;
import dev.holdfast.controlplane.snapshot.ResourceType;
import dev.holdfast.controlplane.snapshot.SourcePlace;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Whom the words of proxies point at. */
class ErrorHintsTest {
  private final Policies policies = new Policies();
  private final List<Bundle> suspects =
      List.of(unit("a"), unit("b"), unit("c"), unit("d"), unit("e"));

  /** Two hosts: a has the first and its first route; b the second route; c the other host. */
  private final Resource routes =
      new Resource(
          new ResourceId(ResourceType.ROUTES, "r"),
          "1",
          ByteString.EMPTY,
          Resource.Audience.ALL,
          PersistentMap.empty(),
          PersistentMap.empty(),
          () ->
              List.of(
                  place("virtual_hosts[0]", "a"),
                  place("virtual_hosts[0].routes[0]", "a"),
                  place("virtual_hosts[0].routes[1]", "b"),
                  place("virtual_hosts[1]", "c"),
                  place("virtual_hosts[1].routes[0]", "c")));

  private Bundle unit(String name) {
    ConfigObject policy = policies.of(name, "shop", "the script of " + name);
    return Bundle.of(policy);
  }

  private static SourcePlace place(String path, String name) {
    return new SourcePlace(path, new ObjectKey("ExtensionPolicy", "default", name), 1, "spec");
  }

  private List<String> hinted(String message) {
    return ErrorHints.of(message, routes, suspects).stream()
        .map(unit -> unit.objects().firstKey().name())
        .toList();
  }

  @ParameterizedTest
  @CsvSource({
    "virtual_hosts[0].routes[1].match.safe_regex.regex: '(' (expected: a regular expression), b",
    "virtual_hosts[0].routes[1], b",
    "virtual_hosts[1].domains[0]: 'x' (expected: in no more than one virtual host), c"
  })
  void holdfastsOwnClientSaysThePath(String message, String name) {
    assertThat(hinted(message)).containsExactly(name);
  }

  @Test
  void ofManyPathsEachCounts() {
    assertThat(
            hinted(
                "virtual_hosts[0].routes[1].match: none (expected: one); virtual_hosts[1].domains:"
                    + " empty (expected: at least one domain)"))
        .containsExactly("b", "c");
  }

  @ParameterizedTest
  @CsvSource({
    "RouteConfigurationValidationError.VirtualHosts[0]: embedded message failed validation | caused"
        + " by VirtualHostValidationError.Routes[1]: value is required, b",
    "RouteConfigurationValidationError.VirtualHosts[1]: embedded message failed validation | caused"
        + " by VirtualHostValidationError.Domains: value must contain at least 1 item, c"
  })
  void envoySaysTheIndexes(String message, String name) {
    assertThat(hinted(message)).containsExactly(name);
  }

  @ParameterizedTest
  @CsvSource({"virtual_hosts[7].routes[0]: odd", "something odd", "''"})
  void placesThatNobodyWroteAreNoHint(String message) {
    assertThat(hinted(message)).isEmpty();
  }

  @Test
  void withoutAPlaceTheWordsOfTheAuthorCount() {
    assertThat(hinted("script load error: [string \"-- the script of d\"]:1: '=' expected"))
        .containsExactly("d");
  }

  @Test
  void whatPointsAtAllPointsAtNobody() {
    assertThat(hinted("envoy.filters.http.lua: no such filter")).isEmpty();
  }
}
