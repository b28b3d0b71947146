// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.xds.resources.decode;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.InetAddress;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class IpLiteralsTest {

  @ParameterizedTest
  @CsvSource({
    "0.0.0.0, 0.0.0.0",
    "10.20.30.40, 10.20.30.40",
    "255.255.255.255, 255.255.255.255",
    "::, 0:0:0:0:0:0:0:0",
    "::1, 0:0:0:0:0:0:0:1",
    "1::, 1:0:0:0:0:0:0:0",
    "1:2:3:4:5:6:7:8, 1:2:3:4:5:6:7:8",
    "2001:DB8::a, 2001:db8:0:0:0:0:0:a",
    "1::7:8, 1:0:0:0:0:0:7:8",
    "1:2:3:4:5:6:7::, 1:2:3:4:5:6:7:0",
    "::2:3:4:5:6:7:8, 0:2:3:4:5:6:7:8",
    "64:ff9b::10.1.2.3, 64:ff9b:0:0:0:0:a01:203",
    "1:2:3:4:5:6:10.1.2.3, 1:2:3:4:5:6:a01:203",
    "::ffff:10.1.2.3, 10.1.2.3",
  })
  void readsAddresses(String text, String canonical) {
    InetAddress address = IpLiterals.parse(text);

    assertThat(address).isNotNull();
    assertThat(address.getHostAddress()).isEqualTo(canonical);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "localhost",
        "1",
        "1.2.3",
        "1.2.3.4.5",
        "1.2.3.",
        ".1.2.3",
        "1..2.3",
        "256.1.1.1",
        "01.2.3.4",
        "1.2.3.4 ",
        "-1.2.3.4",
        "1.2.3.٤",
        ":",
        ":::",
        "1:",
        ":1",
        "1:2:3:4:5:6:7",
        "1:2:3:4:5:6:7:8:9",
        "1:2:3:4:5:6:7:8::",
        "::1:2:3:4:5:6:7:8",
        "1::2::3",
        "12345::",
        "g::",
        "::1%eth0",
        "[::1]",
        "1:2:3:4:5:6:7:10.1.2.3",
        "::10.1.2",
        "::10.1.2.3:1",
        "::.1.2.3",
        "::abc.1.2.3",
        "::1:",
        "10.0.0.1:80",
      })
  void nothingElseIsAnAddress(String text) {
    assertThat(IpLiterals.parse(text)).isNull();
  }
}
