// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.store.etcd;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class EtcdPlaceTest {
  @Test
  void membersAndPrefixAreRead() {
    EtcdPlace place = EtcdPlace.parse("etcds://a.example:2379,[fd00::1]:2380/holdfast/shop/");
    assertThat(place.isTls()).isTrue();
    assertThat(place.endpoints())
        .containsExactly(
            new EtcdPlace.Endpoint("a.example", 2379), new EtcdPlace.Endpoint("fd00::1", 2380));
    assertThat(place.prefix()).isEqualTo("/holdfast/shop");
    assertThat(place).hasToString("etcds://a.example:2379,[fd00::1]:2380/holdfast/shop");
    assertThat(EtcdPlace.parse("etcd://a:1/x").isTls()).isFalse();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "etcd://a:2379",
        "etcd://a:2379/",
        "etcd://a/x",
        "etcd://a:2379,/x",
        "etcd://a:99999/x",
        "etcd://u:p@a:2379/x",
        "etcd://a:2379//x",
        "etcd://a:2379/x y"
      })
  void anythingElseIsRefused(String text) {
    assertThatThrownBy(() -> EtcdPlace.parse(text))
        .hasMessage(
            "'"
                + text
                + "' (expected: etcd://HOST:PORT[,HOST:PORT...]/PREFIX, or etcds:// for TLS)");
  }

  @Test
  void credentialsThatCannotBeUsedAreNamed(@TempDir Path directory) throws Exception {
    Path missing = directory.resolve("missing");
    Path text = Files.writeString(directory.resolve("text"), "hello");
    Path user = Files.writeString(directory.resolve("user"), "root:a:b\n");

    assertThatThrownBy(() -> new EtcdCredentials(missing, null, null, null).channel(true))
        .hasMessage(missing + ": no such file");
    assertThatThrownBy(() -> new EtcdCredentials(text, null, null, null).channel(true))
        .hasMessageStartingWith(text + ": cannot be used: ");
    assertThatThrownBy(() -> new EtcdCredentials(null, text, null, null).channel(true))
        .hasMessage("a certificate without its key (expected: both, or neither)");
    assertThatThrownBy(() -> new EtcdCredentials(text, null, null, null).channel(false))
        .hasMessageContaining("(expected: etcds://, or no certificates)");
    assertThatThrownBy(() -> new EtcdCredentials(null, null, null, text).readUser())
        .hasMessage(text + ": no user (expected: one line USER:PASSWORD)");
    assertThat(new EtcdCredentials(null, null, null, user).readUser())
        .isEqualTo(new EtcdCredentials.User("root", "a:b"))
        .hasToString("root");
  }
}
