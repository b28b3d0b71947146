// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.interop.serve;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.interop.envoy.Backend;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Envoy quotes keys in its errors. Nobody gets to see them. */
class SecretsInErrorsTest {
  private static final String KEY = "kEy-3f9a7c21-of-nobody-else";
  private static final String POLICY = "ExtensionPolicy/default/keys";

  /** Two clients with one key, which only Envoy finds. */
  private static final String DUPLICATE =
      Docs.policy(
          "keys",
          """
          targetRef: {name: shop}
          httpFilters:
          - name: keys
            typedConfig:
              "@type": type.googleapis.com/envoy.extensions.filters.http.api_key_auth.v3.ApiKeyAuth
              credentials:
              - {key: %s, client: one}
              - {key: %s, client: two}
              key_sources: [{header: x-api-key}]
          """
              .formatted(KEY, KEY));

  @ParameterizedTest
  @ValueSource(strings = {"delta", "sotw"})
  void duplicateKeyThatEnvoyQuotesIsNowhere(String protocol) {
    try (Backend one = Backend.start("one");
        Rig rig =
            Rig.start(
                protocol,
                "base.yaml",
                Docs.of(
                    Yaml.service("one", one.port()),
                    Yaml.root(
                        "shop",
                        "shop.example",
                        "routes: [{services: [{name: one, port: 80}]}]\n")))) {
      Plane plane = rig.plane();
      plane.awaitProgrammed("HTTPProxy/default/shop", 1);
      rig.put(POLICY, DUPLICATE);
      Plane.Said said = plane.awaitSaid(POLICY, "Programmed", "RejectedNew");
      assertThat(said.message()).containsIgnoringCase("duplicate").contains("[removed]");
      assertThat(Rig.seen(rig.http(), "shop.example", "/")).isEqualTo("200 one");

      Map<String, String> shown = new LinkedHashMap<>();
      for (String path :
          List.of("holds", "incidents", "history", "proxies", "summary", "objects", "resources")) {
        shown.put(path, plane.text("/api/v1/" + path));
      }
      for (var incident : plane.items("/api/v1/incidents")) {
        String id = incident.get("id").getAsString();
        shown.put("incident " + id, plane.text("/api/v1/incidents/" + id));
      }
      shown.put("metrics", plane.text("/metrics"));
      var object = plane.object(POLICY);
      object.remove("diff"); // what the author wrote, for whoever may read objects
      shown.put("object", object.toString());
      plane.down();
      shown.put("state", plane.state());
      shown.forEach((what, text) -> assertThat(text).as(what).doesNotContain(KEY.substring(0, 12)));
    }
  }
}
