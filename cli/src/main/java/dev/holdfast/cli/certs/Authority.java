// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.cli.certs;

import java.math.BigInteger;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.PrivateKey;
import java.security.SecureRandom;
import java.security.Signature;
import java.security.cert.X509Certificate;
import java.security.spec.ECGenParameterSpec;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import javax.security.auth.x500.X500Principal;

/**
 * A certificate authority that signs with one key of the curve P-256.
 *
 * @param name its subject
 * @param key its private key
 * @param pem its own certificate
 */
record Authority(X500Principal name, PrivateKey key, String pem) {
  private static final byte[] ECDSA_WITH_SHA256 = Der.sequence(Der.oid("1.2.840.10045.4.3.2"));
  private static final String BASIC_CONSTRAINTS = "2.5.29.19";
  private static final String KEY_USAGE = "2.5.29.15";
  private static final String EXTENDED_KEY_USAGE = "2.5.29.37";
  private static final String ALTERNATIVE_NAMES = "2.5.29.17";
  private static final String SERVER = "1.3.6.1.5.5.7.3.1";
  private static final String CLIENT = "1.3.6.1.5.5.7.3.2";
  private static final int SERIAL_BITS = 120;

  /** Clocks differ a little. */
  private static final Duration EARLIER = Duration.ofMinutes(5);

  /** A certificate with its key, both PEM. */
  record Issued(String certificate, String key) {}

  /** A new one. */
  static Authority create(String commonName, Instant now, Duration lifetime)
      throws GeneralSecurityException {
    KeyPair keys = newKeys();
    X500Principal name = name(commonName);
    Authority unsigned = new Authority(name, keys.getPrivate(), "");
    byte[] certificate =
        unsigned.sign(
            name,
            keys,
            now,
            lifetime,
            List.of(
                extension(BASIC_CONSTRAINTS, /* critical= */ true, Der.sequence(Der.yes())),
                // to sign certificates and revocation lists
                extension(KEY_USAGE, /* critical= */ true, Der.bits(1, new byte[] {(byte) 0x06}))));
    return new Authority(name, keys.getPrivate(), pem("CERTIFICATE", certificate));
  }

  /** One that was made before. */
  static Authority of(X509Certificate certificate, PrivateKey key) throws GeneralSecurityException {
    return new Authority(
        certificate.getSubjectX500Principal(), key, pem("CERTIFICATE", certificate.getEncoded()));
  }

  /** The key, PEM. */
  String keyPem() {
    return pem("PRIVATE KEY", key.getEncoded());
  }

  /**
   * A certificate for a server or a client.
   *
   * @param names DNS names, IP addresses and URIs
   */
  Issued issue(String commonName, List<String> names, Instant now, Duration lifetime)
      throws GeneralSecurityException {
    KeyPair keys = newKeys();
    byte[][] encoded = new byte[names.size()][];
    for (int i = 0; i < encoded.length; i++) {
      encoded[i] = alternativeName(names.get(i));
    }
    byte[] certificate =
        sign(
            name(commonName),
            keys,
            now,
            lifetime,
            List.of(
                extension(
                    EXTENDED_KEY_USAGE,
                    /* critical= */ false,
                    Der.sequence(Der.oid(SERVER), Der.oid(CLIENT))),
                extension(ALTERNATIVE_NAMES, /* critical= */ false, Der.sequence(encoded))));
    return new Issued(
        pem("CERTIFICATE", certificate), pem("PRIVATE KEY", keys.getPrivate().getEncoded()));
  }

  private byte[] sign(
      X500Principal subject, KeyPair keys, Instant now, Duration lifetime, List<byte[]> extensions)
      throws GeneralSecurityException {
    List<byte[]> all = new ArrayList<>(extensions);
    byte[] toBeSigned =
        Der.sequence(
            Der.tagged(0xa0, Der.integer(BigInteger.TWO)),
            Der.integer(new BigInteger(SERIAL_BITS, new SecureRandom()).setBit(SERIAL_BITS)),
            ECDSA_WITH_SHA256,
            name.getEncoded(),
            Der.sequence(Der.time(now.minus(EARLIER)), Der.time(now.plus(lifetime))),
            subject.getEncoded(),
            keys.getPublic().getEncoded(),
            Der.tagged(0xa3, Der.sequence(all.toArray(byte[][]::new))));
    Signature signature = Signature.getInstance("SHA256withECDSA");
    signature.initSign(key);
    signature.update(toBeSigned);
    return Der.sequence(toBeSigned, ECDSA_WITH_SHA256, Der.bits(0, signature.sign()));
  }

  private static X500Principal name(String commonName) {
    return new X500Principal("CN=" + commonName);
  }

  private static byte[] alternativeName(String name) {
    if (name.contains("://")) {
      return Der.tagged(0x86, name.getBytes(StandardCharsets.US_ASCII));
    }
    if (isAddress(name)) {
      try {
        return Der.tagged(0x87, InetAddress.getByName(name).getAddress());
      } catch (UnknownHostException e) {
        throw new IllegalArgumentException(name + " (expected: an IP address)", e);
      }
    }
    return Der.tagged(0x82, name.getBytes(StandardCharsets.US_ASCII));
  }

  /** Whether a name is an address, of which no name server has to be asked. */
  static boolean isAddress(String name) {
    return name.matches("[0-9]+(\\.[0-9]+){3}|[0-9a-fA-F]*:[0-9a-fA-F:.]*");
  }

  private static byte[] extension(String oid, boolean critical, byte[] value) {
    return critical
        ? Der.sequence(Der.oid(oid), Der.yes(), Der.octets(value))
        : Der.sequence(Der.oid(oid), Der.octets(value));
  }

  private static KeyPair newKeys() throws GeneralSecurityException {
    KeyPairGenerator generator = KeyPairGenerator.getInstance("EC");
    generator.initialize(new ECGenParameterSpec("secp256r1"));
    return generator.generateKeyPair();
  }

  private static String pem(String label, byte[] content) {
    String body = Base64.getMimeEncoder(64, new byte[] {'\n'}).encodeToString(content);
    return "-----BEGIN " + label + "-----\n" + body + "\n-----END " + label + "-----\n";
  }

  /** Never the key. */
  @Override
  public String toString() {
    return "a certificate authority";
  }
}
