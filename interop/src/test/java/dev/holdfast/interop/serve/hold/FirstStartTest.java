// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.interop.serve.hold;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.interop.serve.Docs;
import dev.holdfast.interop.serve.Plane;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Nothing is known of what is good, and some of it is not. */
class FirstStartTest {
  private static final int HOSTS = 8;

  private static String name(int i) {
    return "h" + i;
  }

  private static boolean isBad(int i) {
    return i == 2 || i == 5;
  }

  private static String hosts() {
    List<String> hosts = new ArrayList<>();
    for (int i = 0; i < HOSTS; i++) {
      hosts.add(isBad(i) ? Hosts.bad(name(i), "one") : Hosts.good(name(i), "one"));
    }
    return Docs.of(hosts.toArray(new String[0]));
  }

  @ParameterizedTest
  @ValueSource(strings = {"real delta", "real sotw", "fake delta", "fake sotw"})
  void aColdEnvoyIsServedAllThatIsGood(String kind) {
    try (Scene scene = Scene.start(kind, "hosts.yaml", hosts())) {
      for (int i = 0; i < HOSTS; i++) {
        String key = "HTTPProxy/default/" + name(i);
        if (isBad(i)) {
          scene.plane().awaitSaid(key, "Programmed", "RejectedNew");
        } else {
          scene.plane().awaitProgrammed(key, 1);
          scene.awaitGet(Hosts.fqdn(name(i)), "/", "200 one");
        }
      }
      assertThat(scene.held()).containsExactly("h2@1/0 RejectedNew", "h5@1/0 RejectedNew");

      // The next one is served the same, and then asked once about each that one proxy judged.
      long nacks = scene.nacks();
      Peer next = scene.join("e2");
      Plane.await("e2 serves", () -> next.get(Hosts.fqdn(name(0)), "/").equals("200 one"));
      assertThat(next.get(Hosts.fqdn(name(2)), "/")).isEqualTo("404");
      assertThat(scene.nacks()).isLessThanOrEqualTo(nacks + scene.held().size());
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"real delta", "real sotw", "fake delta", "fake sotw"})
  void aWarmEnvoyLosesNothingWhenTheStateIsLost(String kind) {
    try (Scene scene = Scene.start(kind, "hosts.yaml", Hosts.good("h0", "one"))) {
      scene.plane().write("more.yaml", hosts().replace("name: h0,", "name: h0x,"));
      scene.plane().delete("hosts.yaml");
      for (int i = 1; i < HOSTS; i++) {
        if (!isBad(i)) {
          scene.plane().awaitProgrammed("HTTPProxy/default/" + name(i), 1);
        }
      }
      scene.awaitGet(Hosts.fqdn("h1"), "/", "200 one");

      scene.plane().down();
      scene.plane().forget();
      scene.plane().up();
      Plane.await(
          "both bad ones are found, or known to be among those who may be",
          () -> {
            for (int i = 0; i < HOSTS; i++) {
              if (!isBad(i)) {
                assertThat(scene.peer().get(Hosts.fqdn(name(i)), "/")).isEqualTo("200 one");
              }
            }
            return scene.held().size() >= 2;
          });
      assertThat(scene.held().toString()).contains("h2@").contains("h5@");
      for (int i = 0; i < HOSTS; i++) {
        if (!isBad(i)) {
          assertThat(scene.peer().get(Hosts.fqdn(name(i)), "/")).isEqualTo("200 one");
        }
      }
    }
  }
}
