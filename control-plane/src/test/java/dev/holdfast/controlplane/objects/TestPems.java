// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.controlplane.objects;

import dev.holdfast.testkit.TestCa;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.NoSuchAlgorithmException;
import java.util.Base64;
import java.util.HashMap;
import java.util.Map;

/** Certificates and keys of all kinds, by name; generated on demand, so that none is checked in. */
final class TestPems {
  private static final Map<String, String> ALL = make();

  private TestPems() {}

  static String get(String name) {
    String pem = ALL.get(name);
    if (pem == null) {
      throw new AssertionError(name);
    }
    return pem;
  }

  private static Map<String, String> make() {
    TestCa ca = TestCa.create("test");
    Map<String, String> pems = new HashMap<>();
    add(pems, ca, "rsa", keys("RSA", 2048));
    add(pems, ca, "weak", keys("RSA", 1024));
    add(pems, ca, "ec", keys("EC", 256));
    add(pems, ca, "other", keys("RSA", 2048));
    return pems;
  }

  private static KeyPair keys(String algorithm, int bits) {
    try {
      KeyPairGenerator generator = KeyPairGenerator.getInstance(algorithm);
      generator.initialize(bits);
      return generator.generateKeyPair();
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException(e);
    }
  }

  private static void add(Map<String, String> pems, TestCa ca, String name, KeyPair keys) {
    TestCa.Identity identity = ca.issue(name, keys);
    pems.put(name + "-cert", identity.certificatePem());
    pems.put(name + "-key", identity.privateKeyPem());
    boolean rsa = keys.getPrivate().getAlgorithm().equals("RSA");
    byte[] bare = withoutAlgorithm(keys.getPrivate().getEncoded());
    pems.put(name + (rsa ? "-pkcs1-key" : "-sec1-key"), pem(rsa ? "RSA" : "EC", bare));
  }

  /** The content of a PKCS #8 key: the third element of its sequence, without the header. */
  private static byte[] withoutAlgorithm(byte[] pkcs8) {
    ByteBuffer der = ByteBuffer.wrap(pkcs8);
    header(der);
    for (int i = 0; i < 2; i++) { // version and algorithm
      int length = header(der);
      der.position(der.position() + length);
    }
    byte[] bare = new byte[header(der)];
    der.get(bare);
    return bare;
  }

  /** Reads tag and length. */
  private static int header(ByteBuffer der) {
    der.get();
    int length = der.get() & 0xff;
    if (length < 0x80) {
      return length;
    }
    int octets = length & 0x7f;
    length = 0;
    for (int i = 0; i < octets; i++) {
      length = (length << 8) | (der.get() & 0xff);
    }
    return length;
  }

  private static String pem(String algorithm, byte[] der) {
    String label = algorithm + " PRIVATE" + " KEY";
    String body =
        Base64.getMimeEncoder(64, "\n".getBytes(StandardCharsets.US_ASCII)).encodeToString(der);
    return "-----BEGIN " + label + "-----\n" + body + "\n-----END " + label + "-----\n";
  }
}
