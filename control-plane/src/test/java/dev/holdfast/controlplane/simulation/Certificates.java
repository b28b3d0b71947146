// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.controlplane.simulation;

import dev.holdfast.testkit.TestCa;
import io.envoyproxy.envoy.config.core.v3.DataSource;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * Some certificates of each flaw, made once. They share a key, and that is an RSA key: the control
 * plane looks whether a key fits its certificate, which takes long for others.
 */
final class Certificates {
  private static final int EACH = 3;
  private static final TestCa CA = TestCa.create("simulation");
  private static final Map<Flaw, List<TestCa.Identity>> BY_FLAW = new EnumMap<>(Flaw.class);
  private static final Map<String, Flaw> BY_TEXT = new HashMap<>();

  static {
    KeyPair keys = keys();
    for (Flaw flaw : Flaw.values()) {
      List<TestCa.Identity> identities = new ArrayList<>();
      for (int i = 0; i < EACH; i++) {
        TestCa.Identity identity = CA.issue(flaw.name().toLowerCase(Locale.ROOT) + i, keys);
        identities.add(identity);
        BY_TEXT.put(withoutBlanks(identity.certificatePem()), flaw);
      }
      BY_FLAW.put(flaw, identities);
    }
  }

  private Certificates() {}

  private static KeyPair keys() {
    try {
      KeyPairGenerator generator = KeyPairGenerator.getInstance("RSA");
      generator.initialize(2048);
      return generator.generateKeyPair();
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException(e);
    }
  }

  static TestCa.Identity get(Flaw flaw, int number) {
    return BY_FLAW.getOrDefault(flaw, List.of()).get(number % EACH);
  }

  static String authority() {
    return CA.certificatePem();
  }

  /** Whether a secret has a flaw. */
  static boolean has(DataSource chain, Flaw flaw) {
    return BY_TEXT.get(withoutBlanks(chain.getInlineBytes().toStringUtf8())) == flaw
        || BY_TEXT.get(withoutBlanks(chain.getInlineString())) == flaw;
  }

  private static String withoutBlanks(String pem) {
    return pem.replaceAll("\\s", "");
  }
}
