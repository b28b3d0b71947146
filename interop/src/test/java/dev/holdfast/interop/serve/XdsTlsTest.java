// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.interop.serve;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.base.NamePattern;
import dev.holdfast.base.SystemTime;
import dev.holdfast.cli.Main;
import dev.holdfast.cli.Shell;
import dev.holdfast.controlplane.ads.access.AccessRule;
import dev.holdfast.interop.envoy.Backend;
import dev.holdfast.interop.envoy.EnvoyBinary;
import dev.holdfast.interop.envoy.EnvoyProcess;
import dev.holdfast.interop.envoy.Http;
import dev.holdfast.server.options.XdsSecurity;
import dev.holdfast.server.tls.TlsFiles;
import dev.holdfast.testkit.TestCa;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.security.cert.CertificateFactory;
import java.security.cert.X509Certificate;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Real Envoys that connect with certificates, good and bad. */
class XdsTlsTest {
  private static final String HOST = "shop.example";
  private static final String SHOP = "HTTPProxy/default/shop";
  private static final String REFUSED = "holdfast_xds_clients_refused_total";

  private final TestCa ca = TestCa.create("ours");
  private @TempDir Path directory;
  private Backend one;
  private Backend two;
  private Plane plane;

  @BeforeEach
  void start() throws IOException {
    ca.writeTo(directory);
    ca.issue("server").writeTo(directory);
    Files.writeString(directory.resolve("crl.pem"), ca.revocationListPem());
    one = Backend.start("one");
    two = Backend.start("two");
    plane = plane(List.of());
  }

  private Plane plane(List<AccessRule> identities) {
    return Plane.start(
        new XdsSecurity(
            new TlsFiles(
                directory.resolve("cert.pem"),
                directory.resolve("key.pem"),
                directory.resolve("ca.pem"),
                directory.resolve("crl.pem")),
            identities),
        "base.yaml",
        Docs.of(Yaml.service("one", one.port()), Yaml.service("two", two.port())),
        "shop.yaml",
        shop("one"));
  }

  @AfterEach
  void stop() {
    plane.close();
    one.close();
    two.close();
  }

  private static String shop(String service) {
    return Yaml.root(
        "shop",
        HOST,
        """
        routes:
        - services: [{name: %s, port: 80}]
        """
            .formatted(service));
  }

  /** An Envoy with what {@code holdfast bootstrap envoy} prints. */
  private EnvoyProcess envoy(String name, TestCa.Identity identity, String... more)
      throws IOException {
    return envoy(name, identity, directory.resolve("ca.pem"), more);
  }

  /** One that trusts a control plane of these authorities. */
  private EnvoyProcess envoy(String name, TestCa.Identity identity, Path trusted, String... more)
      throws IOException {
    Path own = Files.createDirectory(directory.resolve(name));
    identity.writeTo(own);
    List<String> arguments =
        new ArrayList<>(
            List.of(
                "bootstrap",
                "envoy",
                "--node",
                name,
                "--admin-port",
                "0",
                "--xds-address",
                "127.0.0.1:" + plane.xdsPort(),
                "--ca",
                trusted.toString(),
                "--certificate",
                own.resolve("cert.pem").toString(),
                "--key",
                own.resolve("key.pem").toString()));
    arguments.addAll(List.of(more));
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    PrintStream printer = new PrintStream(out, true, StandardCharsets.UTF_8);
    Shell shell =
        new Shell(
            InputStream.nullInputStream(),
            printer,
            printer,
            Map.of(),
            SystemTime.instance(),
            Shell.Terminal.none());
    assertThat(Main.run(shell, arguments.toArray(String[]::new))).isZero();
    return EnvoyProcess.start(out.toString(StandardCharsets.UTF_8));
  }

  private long refused(String reason) {
    String sample = REFUSED + "{reason=\"" + reason + "\"} ";
    return plane
        .text("/metrics")
        .lines()
        .filter(line -> line.startsWith(sample))
        .mapToLong(line -> (long) Double.parseDouble(line.substring(sample.length())))
        .sum();
  }

  /** Whatever certificates proxies must have: the scouts of the server have none. */
  @Test
  void scoutsOfTheServerNeedNoCertificate() throws Exception {
    plane.close();
    plane =
        plane(
            List.of(
                new AccessRule(
                    new NamePattern("spiffe://test/*"),
                    AccessRule.Role.PROXY,
                    List.of(new NamePattern("{1}")),
                    List.of(),
                    List.of(),
                    /* vote= */ true,
                    /* secrets= */ true)));
    plane.down();
    plane.withScout(EnvoyBinary.find()).up();
    try (EnvoyProcess envoy = envoy("edge-1", ca.issueFor("edge-1", "spiffe://test/edge-1"))) {
      plane.awaitProgrammed(SHOP, 1);
      Plane.await(
          "the scout is asked",
          () ->
              plane.items("/api/v1/proxies").stream()
                  .anyMatch(
                      proxy ->
                          proxy.has("scout")
                              && proxy
                                  .getAsJsonObject("scout")
                                  .get("idle")
                                  .getAsString()
                                  .isEmpty()));
      plane.write(
          "script.yaml",
          Docs.policy(
              "script",
              """
              targetRef: {name: shop}
              perRoute:
              - name: envoy.filters.http.lua
                typedConfig:
                  "@type": type.googleapis.com/envoy.extensions.filters.http.lua.v3.LuaPerRoute
                  source_code:
                    inline_string: |
                      function envoy_on_request(handle)
                        handle:respond({[":status"] = "503"}, "no")
                      end
              """));
      plane.awaitSaid("ExtensionPolicy/default/script", "Programmed", "ProbeFailed");
      Rig.awaitSeen("200 one", envoy.http("ingress_http"), HOST, "/");
      assertThat(plane.metric(REFUSED)).isZero();
    }
  }

  @Test
  void certificatesAreReplacedUnderLoadWithoutAFailedRequest() throws Exception {
    try (EnvoyProcess envoy = envoy("edge-1", ca.issueFor("edge-1", "spiffe://test/edge-1"))) {
      plane.awaitProgrammed(SHOP, 1);
      Http http = envoy.http("ingress_http");
      Rig.awaitSeen("200 one", http, HOST, "/");
      AtomicBoolean stopped = new AtomicBoolean();
      AtomicInteger requests = new AtomicInteger();
      ConcurrentLinkedQueue<String> failures = new ConcurrentLinkedQueue<>();
      Thread load =
          new Thread(
              () -> {
                while (!stopped.get()) {
                  String seen = Rig.seen(http, HOST, "/");
                  requests.incrementAndGet();
                  if (!seen.startsWith("200 ")) {
                    failures.add(seen);
                  }
                }
              });
      load.start();

      // A new certificate of a new authority, while the proxy has one of the old.
      TestCa next = TestCa.create("next");
      Files.writeString(directory.resolve("ca.pem"), ca.certificatePem() + next.certificatePem());
      Files.writeString(directory.resolve("crl.pem"), next.revocationListPem());
      next.issue("server").writeTo(directory);
      Path onlyNext = directory.resolve("next.pem");
      Files.writeString(onlyNext, next.certificatePem());
      try (EnvoyProcess second =
          envoy("edge-2", next.issueFor("edge-2", "spiffe://test/edge-2"), onlyNext)) {
        Rig.awaitSeen("200 one", second.http("ingress_http"), HOST, "/");
        assertThat(plane.items("/api/v1/proxies")).hasSize(2);
      }
      plane.write("shop.yaml", shop("two"));
      plane.awaitProgrammed(SHOP, 2);
      Rig.awaitSeen("200 two", http, HOST, "/");

      stopped.set(true);
      load.join();
      assertThat(failures).isEmpty();
      assertThat(requests.get()).isPositive();
      assertThat(plane.items("/api/v1/problems")).isEmpty();
    }
  }

  @Test
  void badCertificatesAreRefusedAndCounted() throws Exception {
    TestCa foreign = TestCa.create("foreign");
    TestCa.Identity revoked = ca.issueFor("revoked", "spiffe://test/revoked");
    Files.writeString(directory.resolve("crl.pem"), ca.revocationListPem(revoked));
    try (EnvoyProcess untrusted = envoy("untrusted", foreign.issue("untrusted"));
        EnvoyProcess expired = envoy("expired", ca.issueExpired("expired"));
        EnvoyProcess otherName =
            envoy("other-name", ca.issue("other"), "--server-name", "other.example");
        EnvoyProcess good = envoy("good", ca.issue("good"))) {
      Plane.await("the foreign certificate is refused", () -> refused("untrusted") > 0);
      Plane.await("the expired certificate is refused", () -> refused("expired") > 0);
      Plane.await("a client refuses the server's name", () -> refused("rejectedServer") > 0);
      plane.awaitProgrammed(SHOP, 1);
      Rig.awaitSeen("200 one", good.http("ingress_http"), HOST, "/");
      assertThat(plane.items("/api/v1/proxies")).hasSize(1);
      assertThat(List.of(untrusted, expired, otherName)).allMatch(EnvoyProcess::isAlive);
    }
    try (EnvoyProcess envoy = envoy("revoked", revoked)) {
      Plane.await("the revoked certificate is refused", () -> refused("revoked") > 0);
      assertThat(envoy.isAlive()).isTrue();
      Plane.await("it is not connected", () -> plane.items("/api/v1/proxies").isEmpty());
    }
  }

  @Test
  void aProxyThatIsRevokedLosesItsConnectionAndKeepsItsTraffic() throws Exception {
    TestCa.Identity identity = ca.issueFor("edge-1", "spiffe://test/edge-1");
    try (EnvoyProcess envoy = envoy("edge-1", identity)) {
      plane.awaitProgrammed(SHOP, 1);
      Rig.awaitSeen("200 one", envoy.http("ingress_http"), HOST, "/");

      Files.writeString(directory.resolve("crl.pem"), ca.revocationListPem(identity));
      Plane.await("the proxy is refused", () -> refused("revoked") > 0);
      Plane.await("the proxy is gone", () -> plane.items("/api/v1/proxies").isEmpty());

      assertThat(Rig.seen(envoy.http("ingress_http"), HOST, "/")).isEqualTo("200 one");
    }
  }

  @Test
  void anEnvoyUsesItsRenewedCertificateWithoutARestart() throws Exception {
    TestCa.Identity first = ca.issue("edge-1");
    try (EnvoyProcess envoy =
        envoy("edge-1", first, "--sds-file", directory.resolve("sds.yaml").toString())) {
      plane.awaitProgrammed(SHOP, 1);
      Http http = envoy.http("ingress_http");
      Rig.awaitSeen("200 one", http, HOST, "/");

      // The key first, then the certificate, each under its name at once.
      TestCa.Identity second = ca.issue("edge-1");
      Path own = directory.resolve("edge-1");
      for (String[] file :
          new String[][] {
            {"key.pem", second.privateKeyPem()}, {"cert.pem", second.certificatePem()}
          }) {
        Path next = Files.writeString(own.resolve(file[0] + ".next"), file[1]);
        Files.move(next, own.resolve(file[0]), StandardCopyOption.ATOMIC_MOVE);
      }
      String wanted = "\"serial_number\": \"0*" + serial(second.certificatePem()) + "\"";
      Plane.await(
          "Envoy has read it",
          () -> Pattern.compile(wanted).matcher(envoy.admin().get("/certs")).find());

      // Who shows the first one is disconnected; the Envoy comes back with the second.
      long before = plane.metric(REFUSED);
      Files.writeString(directory.resolve("crl.pem"), ca.revocationListPem(first));
      Plane.await("it is disconnected", () -> plane.metric(REFUSED) > before);
      plane.write("shop.yaml", shop("two"));
      plane.awaitProgrammed(SHOP, 2);
      Rig.awaitSeen("200 two", http, HOST, "/");
    }
  }

  private static String serial(String pem) throws Exception {
    X509Certificate certificate =
        (X509Certificate)
            CertificateFactory.getInstance("X.509")
                .generateCertificate(
                    new ByteArrayInputStream(pem.getBytes(StandardCharsets.US_ASCII)));
    return certificate.getSerialNumber().toString(16);
  }

  @Test
  void filesThatCannotBeUsedAreAProblemAndNothingElse() throws Exception {
    try (EnvoyProcess envoy = envoy("edge-1", ca.issue("edge-1"))) {
      plane.awaitProgrammed(SHOP, 1);
      Files.writeString(directory.resolve("key.pem"), "no key");
      Plane.await(
          "the problem is listed",
          () -> plane.items("/api/v1/problems").toString().contains("key.pem: no private key"));
      assertThat(plane.metric("holdfast_problems")).isEqualTo(1);

      plane.write("shop.yaml", shop("two"));
      plane.awaitProgrammed(SHOP, 2);
      Rig.awaitSeen("200 two", envoy.http("ingress_http"), HOST, "/");

      ca.issue("server").writeTo(directory);
      Plane.await("the problem is over", () -> plane.items("/api/v1/problems").isEmpty());
    }
  }

  @Test
  void aProxyCannotBeANodeThatItsCertificateDoesNotName() throws Exception {
    plane.close();
    plane =
        plane(
            List.of(
                new AccessRule(
                    new NamePattern("spiffe://test/*"),
                    AccessRule.Role.PROXY,
                    List.of(new NamePattern("{1}")),
                    List.of(),
                    List.of(new NamePattern("envoy")),
                    /* vote= */ true,
                    /* secrets= */ true)));
    try (EnvoyProcess impostor = envoy("edge-1", ca.issueFor("x", "spiffe://test/edge-2"));
        EnvoyProcess other = envoy("edge-3", ca.issueFor("x", "spiffe://other/edge-3"));
        EnvoyProcess good = envoy("edge-4", ca.issueFor("x", "spiffe://test/edge-4"))) {
      plane.awaitProgrammed(SHOP, 1);
      Rig.awaitSeen("200 one", good.http("ingress_http"), HOST, "/");
      Plane.await("both are refused", () -> plane.text("/metrics").contains("limit=\"identity\""));
      Plane.await(
          "the impostor is told why",
          () -> impostor.log().toString().contains("may not be the node 'edge-1'"));
      Plane.await(
          "the other one is told why",
          () -> other.log().toString().contains("is none of the identities that may connect"));
      assertThat(plane.items("/api/v1/proxies")).hasSize(1);
      assertThat(plane.items("/api/v1/proxies").toString())
          .contains("\"identity\":\"spiffe://test/edge-4\"");
    }
  }
}
