// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.base.tls;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.KeyPairGenerator;
import java.security.PrivateKey;
import java.security.spec.ECGenParameterSpec;
import java.util.Arrays;
import java.util.Base64;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class PemKeyTest {
  @ParameterizedTest
  @ValueSource(strings = {"RSA", "secp256r1", "secp384r1", "secp521r1", "Ed25519"})
  void keysAreReadInTheFormsThatToolsWriteThem(String algorithm) throws Exception {
    PrivateKey key = generate(algorithm);
    byte[] pkcs8 = key.getEncoded();
    assertThat(PemKey.read(pem("PRIVATE KEY", pkcs8))).isEqualTo(key);
    if (!algorithm.equals("Ed25519")) {
      String type = algorithm.equals("RSA") ? "RSA PRIVATE KEY" : "EC PRIVATE KEY";
      assertThat(PemKey.read(pem(type, inner(pkcs8))).getAlgorithm()).isEqualTo(key.getAlgorithm());
    }
  }

  @Test
  void aKeyOfAnotherFormIsRefused() {
    assertThatThrownBy(() -> PemKey.read(pem("ENCRYPTED PRIVATE KEY", new byte[4])))
        .hasMessageContaining("ENCRYPTED PRIVATE KEY (expected: PRIVATE KEY");
    assertThatThrownBy(() -> PemKey.read(new byte[0])).hasMessageContaining("no private key");
  }

  private static PrivateKey generate(String algorithm) throws GeneralSecurityException {
    if (algorithm.startsWith("secp")) {
      KeyPairGenerator generator = KeyPairGenerator.getInstance("EC");
      generator.initialize(new ECGenParameterSpec(algorithm));
      return generator.generateKeyPair().getPrivate();
    }
    return KeyPairGenerator.getInstance(algorithm).generateKeyPair().getPrivate();
  }

  private static byte[] pem(String type, byte[] der) {
    String base64 = Base64.getMimeEncoder(64, new byte[] {'\n'}).encodeToString(der);
    return ("-----BEGIN " + type + "-----\n" + base64 + "\n-----END " + type + "-----\n")
        .getBytes(StandardCharsets.US_ASCII);
  }

  /** The key inside of PKCS#8: the octets at its end. */
  private static byte[] inner(byte[] pkcs8) {
    int at = 0;
    at = content(pkcs8, at); // sequence
    at = skip(pkcs8, at); // version
    at = skip(pkcs8, at); // algorithm
    int from = content(pkcs8, at);
    return Arrays.copyOfRange(pkcs8, from, skip(pkcs8, at));
  }

  private static int content(byte[] der, int at) {
    int length = der[at + 1] & 0xff;
    return at + 2 + (length < 0x80 ? 0 : length & 0x7f);
  }

  private static int skip(byte[] der, int at) {
    int length = der[at + 1] & 0xff;
    int size = length;
    if (length >= 0x80) {
      size = 0;
      for (int i = 0; i < (length & 0x7f); i++) {
        size = (size << 8) | (der[at + 2 + i] & 0xff);
      }
    }
    return content(der, at) + size;
  }
}
