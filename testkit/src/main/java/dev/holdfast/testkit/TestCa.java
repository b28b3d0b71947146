// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.testkit;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.Signature;
import java.security.cert.CertificateFactory;
import java.security.cert.X509Certificate;
import java.security.spec.ECGenParameterSpec;
import java.time.Duration;
import java.time.Instant;
import java.util.Base64;

/**
 * A certificate authority that lives as long as a test: keys are made on the spot, so that none
 * ever lies in a repository.
 */
public final class TestCa {
  private static final byte[] ECDSA_WITH_SHA256 = Der.sequence(Der.oid("1.2.840.10045.4.3.2"));

  private final String name;
  private final KeyPair keys;
  private final byte[] certificate;
  private long lastSerial = 1;

  private TestCa(String name) {
    this.name = name;
    keys = newKeys();
    certificate =
        sign(
            name, keys, extension("2.5.29.19", /* critical= */ true, Der.sequence(Der.bool(true))));
  }

  /** An authority with a fresh key. */
  public static TestCa create(String name) {
    return new TestCa(name);
  }

  /** Its own certificate. */
  public String certificatePem() {
    return pem("CERTIFICATE", certificate);
  }

  /** A list of certificates that it has revoked, in force for an hour. */
  public String revocationListPem(Identity... revoked) {
    Instant now = Instant.now();
    byte[][] entries = new byte[revoked.length][];
    for (int i = 0; i < revoked.length; i++) {
      entries[i] =
          Der.sequence(Der.integer(serial(revoked[i])), Der.time(now.minus(Duration.ofMinutes(1))));
    }
    byte[] start =
        Der.concat(
            Der.integer(BigInteger.ONE),
            ECDSA_WITH_SHA256,
            commonName(name),
            Der.time(now.minus(Duration.ofHours(1))),
            Der.time(now.plus(Duration.ofHours(1))));
    byte[] number =
        Der.tagged(
            0xa0,
            Der.sequence(
                extension("2.5.29.20", /* critical= */ false, Der.integer(BigInteger.ONE))));
    return pem(
        "X509 CRL",
        signed(
            revoked.length == 0
                ? Der.sequence(start, number)
                : Der.sequence(start, Der.sequence(entries), number)));
  }

  private static BigInteger serial(Identity identity) {
    try {
      return ((X509Certificate)
              CertificateFactory.getInstance("X.509")
                  .generateCertificate(
                      new ByteArrayInputStream(
                          identity.certificatePem().getBytes(StandardCharsets.US_ASCII))))
          .getSerialNumber();
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException("cannot read a certificate", e);
    }
  }

  /** A key and a certificate for {@code localhost} and {@code 127.0.0.1}. */
  public Identity issue(String commonName) {
    return issue(commonName, newKeys());
  }

  /** The same, for a key that the test has made. */
  public Identity issue(String commonName, KeyPair subject) {
    byte[] names =
        Der.sequence(
            Der.tagged(0x82, "localhost".getBytes(StandardCharsets.US_ASCII)),
            Der.tagged(0x87, new byte[] {127, 0, 0, 1}));
    byte[] issued = sign(commonName, subject, extension("2.5.29.17", /* critical= */ false, names));
    return new Identity(
        pem("CERTIFICATE", issued), pem("PRIVATE KEY", subject.getPrivate().getEncoded()));
  }

  /** A key and a certificate for these DNS names and URIs. */
  public Identity issueFor(String commonName, String... names) {
    byte[][] encoded = new byte[names.length][];
    for (int i = 0; i < names.length; i++) {
      encoded[i] =
          Der.tagged(
              names[i].contains("://") ? 0x86 : 0x82, names[i].getBytes(StandardCharsets.US_ASCII));
    }
    KeyPair subject = newKeys();
    byte[] issued =
        sign(
            commonName,
            subject,
            extension("2.5.29.17", /* critical= */ false, Der.sequence(encoded)));
    return new Identity(
        pem("CERTIFICATE", issued), pem("PRIVATE KEY", subject.getPrivate().getEncoded()));
  }

  /** A key and a certificate for {@code localhost} that ended an hour ago. */
  public Identity issueExpired(String commonName) {
    KeyPair subject = newKeys();
    Instant now = Instant.now();
    byte[] names = Der.sequence(Der.tagged(0x82, "localhost".getBytes(StandardCharsets.US_ASCII)));
    byte[] issued =
        sign(
            commonName,
            subject,
            Der.sequence(
                Der.time(now.minus(Duration.ofHours(2))), Der.time(now.minus(Duration.ofHours(1)))),
            extension("2.5.29.17", /* critical= */ false, names));
    return new Identity(
        pem("CERTIFICATE", issued), pem("PRIVATE KEY", subject.getPrivate().getEncoded()));
  }

  /**
   * A key and a certificate that is only to be shown together with proof that it was not revoked:
   * in order by all rules, and of no use to a server that has no such proof.
   */
  public Identity issueMustStaple(String commonName) {
    KeyPair subject = newKeys();
    byte[] statusRequest = Der.sequence(Der.integer(BigInteger.valueOf(5)));
    byte[] issued =
        sign(
            commonName,
            subject,
            extension("1.3.6.1.5.5.7.1.24", /* critical= */ false, statusRequest));
    return new Identity(
        pem("CERTIFICATE", issued), pem("PRIVATE KEY", subject.getPrivate().getEncoded()));
  }

  /** Its own certificate, but for the day on which it ends: there is no such day. */
  public String certificateUntil30FebruaryPem() {
    Instant now = Instant.now();
    return pem(
        "CERTIFICATE",
        sign(
            name,
            keys,
            Der.sequence(
                Der.time(now.minus(Duration.ofHours(1))),
                Der.tagged(0x18, "20990230000000Z".getBytes(StandardCharsets.US_ASCII))),
            extension("2.5.29.19", /* critical= */ true, Der.sequence(Der.bool(true)))));
  }

  /**
   * A certificate and its key, both PEM.
   *
   * @param certificatePem the certificate
   * @param privateKeyPem its key, PKCS #8
   */
  public record Identity(String certificatePem, String privateKeyPem) {
    /** Writes {@code cert.pem} and {@code key.pem}. */
    public void writeTo(Path directory) {
      write(directory.resolve("cert.pem"), certificatePem);
      write(directory.resolve("key.pem"), privateKeyPem);
    }
  }

  /** Writes the authority's certificate as {@code ca.pem}. */
  public void writeTo(Path directory) {
    write(directory.resolve("ca.pem"), certificatePem());
  }

  private byte[] sign(String subject, KeyPair subjectKeys, byte[] extension) {
    Instant now = Instant.now();
    return sign(
        subject,
        subjectKeys,
        Der.sequence(
            Der.time(now.minus(Duration.ofHours(1))), Der.time(now.plus(Duration.ofHours(1)))),
        extension);
  }

  private byte[] sign(String subject, KeyPair subjectKeys, byte[] validity, byte[] extension) {
    byte[] toBeSigned =
        Der.sequence(
            Der.tagged(0xa0, Der.integer(BigInteger.TWO)),
            Der.integer(BigInteger.valueOf(lastSerial++)),
            ECDSA_WITH_SHA256,
            commonName(name),
            validity,
            commonName(subject),
            subjectKeys.getPublic().getEncoded(),
            Der.tagged(0xa3, Der.sequence(extension)));
    return signed(toBeSigned);
  }

  private byte[] signed(byte[] toBeSigned) {
    try {
      Signature signature = Signature.getInstance("SHA256withECDSA");
      signature.initSign(keys.getPrivate());
      signature.update(toBeSigned);
      return Der.sequence(toBeSigned, ECDSA_WITH_SHA256, Der.bits(signature.sign()));
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException("cannot sign a certificate", e);
    }
  }

  private static byte[] commonName(String name) {
    return name.isEmpty()
        ? Der.sequence()
        : Der.sequence(Der.set(Der.sequence(Der.oid("2.5.4.3"), Der.text(name))));
  }

  private static byte[] extension(String oid, boolean critical, byte[] value) {
    return critical
        ? Der.sequence(Der.oid(oid), Der.bool(true), Der.octets(value))
        : Der.sequence(Der.oid(oid), Der.octets(value));
  }

  private static KeyPair newKeys() {
    try {
      KeyPairGenerator generator = KeyPairGenerator.getInstance("EC");
      generator.initialize(new ECGenParameterSpec("secp256r1"));
      return generator.generateKeyPair();
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException("cannot make a key", e);
    }
  }

  private static String pem(String label, byte[] content) {
    String body = Base64.getMimeEncoder(64, new byte[] {'\n'}).encodeToString(content);
    return "-----BEGIN " + label + "-----\n" + body + "\n-----END " + label + "-----\n";
  }

  private static void write(Path file, String content) {
    try {
      Files.writeString(file, content);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
