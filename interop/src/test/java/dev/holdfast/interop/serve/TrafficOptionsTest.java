// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.interop.serve;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import dev.holdfast.controlplane.objects.httpproxy.HeaderValue;
import dev.holdfast.controlplane.objects.httpproxy.HeadersPolicy;
import dev.holdfast.controlplane.translate.proto.listener.EdgeOptions.Compression;
import dev.holdfast.interop.envoy.Backend;
import dev.holdfast.interop.envoy.Http;
import dev.holdfast.server.options.RateLimitOptions;
import dev.holdfast.server.options.TlsOptions;
import dev.holdfast.server.options.TrafficOptions;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What the operator decides for all requests. */
class TrafficOptionsTest {
  private static final Backend ONE = Backend.start("one");
  private static final String SLASHES =
      Yaml.root(
          "slashes",
          "slashes.example",
          """
          routes:
          - {conditions: [{prefix: /a/b}], services: [{name: one, port: 80}]}
          """);
  private static final String REMOTE =
      Yaml.root(
          "remote",
          "remote.example",
          """
          routes:
          - services: [{name: one, port: 80}]
            ipAllowPolicy: [{source: Remote, cidr: 10.8.8.8}]
          """);

  /** With everything as it is by default. */
  private static Rig usual;

  /** With everything else. */
  private static Rig other;

  @BeforeAll
  static void start() {
    String[] files = {
      "base.yaml", Docs.of(Yaml.service("one", ONE.port()), SLASHES, REMOTE, outside())
    };
    usual = Rig.start("delta", files);
    other =
        Rig.start(
            "sotw",
            new TrafficOptions(
                null,
                Compression.DISABLED,
                /* mergeSlashes= */ false,
                /* trustedHops= */ 1,
                /* externalNameServices= */ true,
                new HeadersPolicy(List.of(new HeaderValue("x-env", "prod")), List.of("x-debug")),
                new HeadersPolicy(
                    List.of(new HeaderValue("x-frame-options", "DENY")), List.of("x-powered-by")),
                /* ingressHeaders= */ true,
                RateLimitOptions.none(),
                TlsOptions.none(),
                null),
            files);
    for (Rig rig : List.of(usual, other)) {
      rig.plane().awaitProgrammed("HTTPProxy/default/slashes", 1);
      rig.plane().awaitProgrammed("HTTPProxy/default/remote", 1);
    }
  }

  @AfterAll
  static void stop() {
    usual.close();
    other.close();
    ONE.close();
  }

  @Test
  void severalSlashesCountAsOneUnlessTheOperatorSaysOtherwise() {
    Rig.awaitSeen("200 one", usual.http(), "slashes.example", "/a//b/c");
    Rig.awaitSeen("200 one", other.http(), "slashes.example", "/a/b/c");
    assertThat(Rig.seen(other.http(), "slashes.example", "/a//b/c")).isEqualTo("404");
  }

  @Test
  void aProxyInFrontIsBelievedOnlyIfTheOperatorSaysSo() {
    assertThat(from(usual, "10.8.8.8").status()).isEqualTo(403);
    assertThat(from(other, "10.8.8.8").status()).isEqualTo(200);
    assertThat(from(other, "10.8.8.9").status()).isEqualTo(403);
    assertThat(from(other, "10.8.8.8, 10.8.8.9").status()).isEqualTo(403);
  }

  private static Http.Response from(Rig rig, String address) {
    return rig.http().get("/").host("remote.example").header("x-forwarded-for", address).send();
  }

  @Test
  void headersAreChangedForEveryServiceUnlessItChangesThemItself() {
    other.apply(
        "HTTPProxy/default/headers",
        Yaml.root(
            "headers",
            "headers.example",
            """
            routes:
            - services: [{name: one, port: 80}]
            - conditions: [{prefix: /own}]
              services:
              - name: one
                port: 80
                requestHeadersPolicy: {set: [{name: X-Env, value: own}]}
                responseHeadersPolicy: {set: [{name: x-frame-options, value: SAMEORIGIN}]}
            """));
    Http.Response response =
        other.http().get("/").host("headers.example").header("x-debug", "1").send();
    Http.Response own = other.http().get("/own").host("headers.example").send();

    assertThat(response.echo().header("x-env")).isEqualTo("prod");
    assertThat(response.echo().header("x-debug")).isEmpty();
    assertThat(response.header("x-frame-options")).isEqualTo("DENY");
    assertThat(own.echo().header("x-env")).isEqualTo("own");
    assertThat(own.header("x-frame-options")).isEqualTo("SAMEORIGIN");
  }

  @Test
  void responsesAreCompressedUnlessTheOperatorSaysOtherwise() {
    assertThat(compressed(usual, "gzip")).isEqualTo("gzip");
    assertThat(compressed(other, "gzip")).isEmpty();
  }

  @ParameterizedTest
  @CsvSource({"BROTLI,br", "ZSTD,zstd"})
  void responsesAreCompressedAsTheOperatorSays(Compression compression, String encoding) {
    try (Rig rig =
        Rig.start(
            "delta",
            new TrafficOptions(
                null,
                compression,
                null,
                null,
                null,
                null,
                null,
                null,
                RateLimitOptions.none(),
                TlsOptions.none(),
                null),
            "base.yaml",
            Docs.of(Yaml.service("one", ONE.port()), SLASHES))) {
      rig.plane().awaitProgrammed("HTTPProxy/default/slashes", 1);

      assertThat(compressed(rig, encoding)).isEqualTo(encoding);
      assertThat(compressed(rig, "gzip")).isEmpty();
    }
  }

  private static String compressed(Rig rig, String accepted) {
    Http.Response response =
        rig.http().get("/a/b").host("slashes.example").header("accept-encoding", accepted).send();
    assertThat(response.status()).isEqualTo(200);
    return response.header("content-encoding");
  }

  /** A service that leads to this machine, by the name that it has for itself. */
  private static String outside() {
    return """
        apiVersion: v1
        kind: Service
        metadata: {name: outside}
        spec: {type: ExternalName, externalName: %s, ports: [{port: %d}]}
        """
        .formatted(ownName(), ONE.port());
  }

  private static String ownName() {
    try {
      return InetAddress.getLocalHost().getHostName();
    } catch (UnknownHostException e) {
      return "nameless.example";
    }
  }

  private static String toOutside(String host) {
    return Yaml.root(
        host,
        host + ".example",
        "routes: [{services: [{name: outside, port: " + ONE.port() + "}]}]");
  }

  @Test
  void anExternalNameIsResolvedByEnvoy() throws UnknownHostException {
    assumeThat(InetAddress.getLocalHost().isLoopbackAddress()).isTrue();
    other.apply("HTTPProxy/default/out", toOutside("out"));

    Rig.awaitSeen("200 one", other.http(), "out.example", "/");
  }

  @Test
  void anExternalNameNeedsTheOperatorsLeave() {
    usual.put("HTTPProxy/default/out", toOutside("out"));
    usual.plane().awaitSaid("HTTPProxy/default/out", "Valid", "ErrorPresent");

    Rig.awaitSeen("503", usual.http(), "out.example", "/");
    assertThat(usual.plane().said("Service/default/outside", "Valid").message())
        .contains("--external-name-services");
  }
}
