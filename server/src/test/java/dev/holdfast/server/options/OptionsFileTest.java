// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.server.options;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assertions.assertThrows;

import dev.holdfast.base.NamePattern;
import dev.holdfast.config.ObjectKey;
import dev.holdfast.controlplane.ads.access.AccessRule;
import dev.holdfast.controlplane.authors.AuthorPolicy;
import dev.holdfast.controlplane.brake.BrakeOptions;
import dev.holdfast.controlplane.objects.httpproxy.GlobalRateLimit;
import dev.holdfast.controlplane.objects.httpproxy.HeaderValue;
import dev.holdfast.controlplane.objects.httpproxy.HeadersPolicy;
import dev.holdfast.controlplane.objects.httpproxy.Tls;
import dev.holdfast.controlplane.rollout.trial.DisagreementPolicy;
import dev.holdfast.controlplane.translate.index.BackendTls;
import dev.holdfast.controlplane.translate.index.HeaderDefaults;
import dev.holdfast.controlplane.translate.index.RateLimitService;
import dev.holdfast.controlplane.translate.index.Settings;
import dev.holdfast.controlplane.translate.proto.listener.EdgeOptions;
import dev.holdfast.kubernetes.status.PublicAddress;
import dev.holdfast.server.tls.TlsFiles;
import dev.holdfast.store.etcd.EtcdCredentials;
import dev.holdfast.store.etcd.EtcdPlace;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What can be written into holdfast.yaml, and what cannot. */
class OptionsFileTest {
  @TempDir Path directory;
  private Path file;

  @BeforeEach
  void place() {
    file = directory.resolve("holdfast.yaml");
  }

  @Test
  void everyOptionCanBeWritten() throws Exception {
    write(
        """
        source: {directory: objects, limits: "depth=5"}
        state: {path: /var/lib/holdfast/state.db}
        xds: {address: '[::1]:1'}
        admin:
          address: 0.0.0.0:2
          token: 0123456789abcdef
        http: {address: 127.0.0.1:3}
        https: {address: 127.0.0.1:4}
        ingressClass: outside
        rollout: {disagreement: per-class, deletionBrake: "20%,5"}
        """);

    ServeOptions options = OptionsFile.read(file).complete(Map.of());

    assertThat(options)
        .isEqualTo(
            new ServeOptions(
                    new SourceOptions.Directory(
                        directory.resolve("objects"), TreeLimitsOption.parse("depth=5")),
                    new StateOptions.InFile(Path.of("/var/lib/holdfast/state.db")),
                    new ListenAddress("::1", 1),
                    new ServeOptions.Admin(new ListenAddress("0.0.0.0", 2), "0123456789abcdef"),
                    new ServeOptions.Listeners(
                        new ListenAddress("127.0.0.1", 3),
                        new ListenAddress("127.0.0.1", 4),
                        "outside"),
                    DisagreementPolicy.PER_CLASS,
                    BrakeOptions.of(20, 5),
                    ServeLimits.defaults())
                .with(AuthorPolicy.SAFE));
    assertThat(options.toString()).doesNotContain("0123456789abcdef");
  }

  @Test
  void whatWatchesOverTheServerCanBeWritten() throws Exception {
    write(
        """
        source: {directory: objects}
        state: {path: state.db}
        fleet: {expectedProxies: "edge=20, all=25"}
        trace: {endpoint: "http://127.0.0.1:4318"}
        """);

    MonitoringOptions options = OptionsFile.read(file).complete(Map.of()).monitoring();

    assertThat(options.expected()).containsExactly(Map.entry("all", 25), Map.entry("edge", 20));
    assertThat(options.traceEndpoint()).hasToString("http://127.0.0.1:4318");
  }

  @Test
  void aMistakeInThatHasItsPlace() throws Exception {
    write(
        """
        fleet: {expectedProxies: "edge"}
        trace: {endpoint: "otel:4318"}
        """);

    assertThatThrownBy(() -> OptionsFile.read(file))
        .hasMessageContaining(":1:26: fleet.expectedProxies: 'edge' (expected: FLEET=NUMBER")
        .hasMessageContaining(":2:19: trace.endpoint: 'otel:4318' (expected: the URL of");
  }

  @Test
  void hostsComeOneByOneOnlyIfTheFileSaysSo() throws Exception {
    write("source: {directory: objects}\nstate: {path: state.db}\nxds: {vhds: true}\n");
    ServeOptions.Listeners each = OptionsFile.read(file).complete(Map.of()).listeners();
    write("source: {directory: objects}\nstate: {path: state.db}\n");
    ServeOptions.Listeners table = OptionsFile.read(file).complete(Map.of()).listeners();

    assertThat(each.vhds()).isTrue();
    assertThat(table.vhds()).isFalse();
  }

  @Test
  void scoutsCanBeWritten() throws Exception {
    write(
        """
        source: {directory: objects}
        state: {path: state.db}
        scouts: {envoys: "bin/envoy-1.36, /usr/bin/envoy"}
        """);
    ScoutOptions named = OptionsFile.read(file).complete(Map.of()).scouts();
    write(
        """
        source: {directory: objects}
        state: {path: state.db}
        scouts: {enabled: true, bootstrap: envoy.yaml}
        """);
    ScoutOptions usual = OptionsFile.read(file).complete(Map.of()).scouts();

    assertThat(named.isWanted()).as("who names a program wants one").isTrue();
    assertThat(named.programs())
        .containsExactly(directory.resolve("bin/envoy-1.36"), Path.of("/usr/bin/envoy"));
    assertThat(usual.isWanted()).isTrue();
    assertThat(usual.programs()).isEmpty();
    assertThat(usual.bootstrap()).isEqualTo(directory.resolve("envoy.yaml"));
    assertThat(ScoutOptions.none().isWanted()).isFalse();
    assertThat(new ScoutOptions(false, List.of(Path.of("envoy")), null, null).isWanted()).isFalse();
  }

  @Test
  void whatCountsForAllRequestsCanBeWritten() throws Exception {
    write(
        """
        source: {directory: objects}
        state: {path: state.db}
        traffic:
          compression: brotli
          mergeSlashes: false
          trustedHops: 1
          externalNameServices: true
          rateLimit: {service: edge/limits, domain: shop, failOpen: true, headers: true,
            defaultPolicy: {descriptors: [{entries: [{remoteAddress: {}}]}]}}
          authorization: {service: edge/judge, authPolicy: {context: {from: edge}}, failOpen: true}
          fallbackCertificate: edge/fallback
          backendTls: {clientCertificate: edge/client, minimumVersion: 1.3}
          requestHeaders: {set: {x-env: prod}, remove: "x-debug, x-trace"}
          responseHeaders: {set: {x-frame-options: DENY}}
          ingressHeaders: true
        """);

    TrafficOptions traffic = OptionsFile.read(file).complete(Map.of()).listeners().traffic();

    assertThat(traffic.edge())
        .isEqualTo(
            new EdgeOptions(
                /* mergeSlashes= */ false, EdgeOptions.Compression.BROTLI, /* trustedHops= */ 1));
    Settings settings = traffic.settings();
    assertThat(settings.externalNames()).isTrue();
    assertThat(settings.rateLimit())
        .isEqualTo(
            new RateLimitService(
                new ObjectKey("ExtensionService", "edge", "limits"),
                "shop",
                /* failOpen= */ true,
                /* headers= */ true,
                /* resourceExhausted= */ false,
                new GlobalRateLimit(
                    /* disabled= */ false,
                    List.of(
                        new GlobalRateLimit.Descriptor(
                            List.of(new GlobalRateLimit.RemoteAddress()))))));
    assertThat(settings.authorization()).isNotNull();
    assertThat(settings.authorization().name()).isEqualTo("judge");
    assertThat(settings.authorization().policy().context()).containsEntry("from", "edge");
    assertThat(settings.authorization().failOpen()).isTrue();
    assertThat(settings.fallbackCertificate())
        .isEqualTo(new ObjectKey("Secret", "edge", "fallback"));
    assertThat(settings.backendTls())
        .isEqualTo(
            new BackendTls(
                new ObjectKey("Secret", "edge", "client"),
                Tls.Version.TLS_1_3,
                Tls.Version.TLS_1_3));
    assertThat(settings.headers())
        .isEqualTo(
            new HeaderDefaults(
                new HeadersPolicy(
                    List.of(new HeaderValue("x-env", "prod")), List.of("x-debug", "x-trace")),
                new HeadersPolicy(List.of(new HeaderValue("x-frame-options", "DENY")), List.of()),
                /* ingresses= */ true));
  }

  @Test
  void nothingSaidIsAsContourDoesIt() {
    assertThat(TrafficOptions.none().edge()).isEqualTo(EdgeOptions.DEFAULT);
    assertThat(TrafficOptions.none().settings()).isEqualTo(Settings.DEFAULT);
  }

  @Test
  void anEmptyFileSaysNothing() throws Exception {
    write("# nothing yet\nadmin:\n");

    assertThat(OptionsFile.read(file)).isEqualTo(PartialOptions.none());
  }

  @Test
  void theTokenMayBeInAFileOfItsOwn() throws Exception {
    Path token = Files.writeString(directory.resolve("token"), "abcdefghijklmnop\n");
    write("admin: {tokenFile: token}");
    assertThatThrownBy(() -> OptionsFile.read(file))
        .hasMessageStartingWith(
            "token file " + token + ": every user of this machine can read it (expected: chmod");

    ownerOnly(token);
    assertThat(OptionsFile.read(file).admin().token()).isEqualTo("abcdefghijklmnop");
  }

  private static void ownerOnly(Path file) throws IOException {
    Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rw-r-----"));
  }

  @Test
  void aTokenInTheFileItselfMakesItASecret() throws Exception {
    write("source: {directory: a}\nadmin: {token: abcdefghijklmnop}");
    Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rw-r--r--"));

    assertThatThrownBy(() -> OptionsFile.read(file))
        .hasMessageStartingWith("configuration file with a token " + file + ": every user");
  }

  @Test
  void callersOfTheAdminPortHaveRoles() throws Exception {
    for (String name : List.of("ci.token", "ops.token")) {
      ownerOnly(Files.writeString(directory.resolve(name), "0123456789-" + name));
    }
    write(
        """
        source: {directory: a}
        state: {path: state.db}
        admin:
          address: 0.0.0.0:1
          certificate: cert.pem
          key: key.pem
          clientCa: ca.pem
          tokens:
          - {name: ci, role: read, tokenFile: ci.token}
          - {name: ops, role: operate, tokenFile: ops.token}
          identities:
          - {identity: "spiffe://test/ops/*", role: operate}
        """);

    AdminSecurity security = OptionsFile.read(file).complete(Map.of()).admin().security();
    assertThat(security)
        .isEqualTo(
            new AdminSecurity(
                List.of(
                    new AdminSecurity.Token("ci", AdminRole.READ, "0123456789-ci.token"),
                    new AdminSecurity.Token("ops", AdminRole.OPERATE, "0123456789-ops.token")),
                new TlsFiles(
                    directory.resolve("cert.pem"),
                    directory.resolve("key.pem"),
                    directory.resolve("ca.pem"),
                    null),
                List.of(
                    new AdminSecurity.Identity(
                        new NamePattern("spiffe://test/ops/*"), AdminRole.OPERATE))));
    assertThat(security.toString()).doesNotContain("0123456789");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "tokens: []|admin.tokens: not a list",
        "tokens: [{name: a, role: root, tokenFile: t}]|admin.tokens.role: 'root' (expected: read or operate)",
        "tokens: [{name: a, role: read}]|admin.tokens.tokenFile: missing",
        "tokens: [{nam: a, role: read, tokenFile: t}]|admin.tokens.nam: unknown field",
        "identities: [{identity: a}]|admin.identities.role: missing",
      })
  void whatIsWrongWithRolesIsTold(String admin, String message) throws IOException {
    write("admin:\n  " + admin + "\n");

    assertThatThrownBy(() -> OptionsFile.read(file)).hasMessageContaining(message);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "xsd: {}|1:1: xsd: unknown option (expected: one of admin, authors, fleet, http, https, ingressClass, limits, log, rollout,"
            + " rootNamespaces, scouts, source, state, trace, traffic, xds)",
        "xds: {adress: a:1}|1:7: xds.adress: unknown option (expected: one of address, certificate, clientCa, clientCrl, identities, insecureSds, key, vhds)",
        "xds: 18000|1:6: xds: not a mapping (expected: one of address, certificate, clientCa, clientCrl, identities, insecureSds, key, vhds)",
        "xds: {address: 18000}|1:16: xds.address: not a string (expected: a string; put it in"
            + " quotes)",
        "xds: {address: localhost}|1:16: xds.address: 'localhost' (expected: HOST:PORT)",
        "xds: {address: 'localhost:99999'}|1:16: xds.address: '99999' (expected: a port from 0 to"
            + " 65535)",
        "admin: {token: short}|1:16: admin.token: 5 characters (expected: 16 to 512 of A-Z a-z 0-9"
            + " . _ ~ + / = -)",
        "admin: {token: 0123456789abcdef, tokenFile: x}|1:45: admin.tokenFile: set together with"
            + " admin.token (expected: only one of them)",
        "ingressClass: ' '|1:15: ingressClass: ' ' (expected: a name)",
        "- a|1:1: not a mapping (expected: one of admin, authors, fleet, http, https, ingressClass, limits, log, rollout, rootNamespaces, scouts, source,"
            + " state, trace, traffic, xds)",
        "traffic: {compression: lzma}|1:24: traffic.compression: 'lzma' (expected: gzip, brotli,"
            + " zstd or disabled)",
        "traffic: {trustedHops: -1}|1:24: traffic.trustedHops: '-1' (expected: a number from 0 to"
            + " 999)",
        "traffic: {mergeSlashes: 'no'}|1:25: traffic.mergeSlashes: 'no' (expected: true or false)",
        "traffic: {rateLimit: {service: limits}}|1:32: traffic.rateLimit.service: 'limits'"
            + " (expected: NAMESPACE/NAME)",
        "traffic: {requestHeaders: {set: {Host: a}}}|1:33: traffic.requestHeaders.set: 'Host'"
            + " (expected: another header)",
        "traffic: {requestHeaders: {set: a}}|1:33: traffic.requestHeaders.set: not a mapping"
            + " (expected: values by header)",
        "traffic: {requestHeaders: {set: {A: 1}}}|1:37: traffic.requestHeaders.set.A: not a string"
            + " (expected: a string; put it in quotes)",
        "rollout: {disagreement: both}|1:25: rollout.disagreement: 'both' (expected: uniform or"
            + " per-class)",
      })
  void whatIsNotUnderstoodIsRefusedWithItsPlace(String content, String problem) throws IOException {
    write(content);

    assertThatThrownBy(() -> OptionsFile.read(file))
        .isInstanceOf(StartException.class)
        .hasMessage(file + ":" + problem);
  }

  @Test
  void allProblemsAreToldAtOnce() throws IOException {
    write("xds: {address: x}\nhttp: {port: 1}\n");

    assertThatThrownBy(() -> OptionsFile.read(file))
        .hasMessageContainingAll(":1:16: xds.address: 'x'", "; ", ":2:8: http.port: unknown");
  }

  @Test
  void aFileThatIsNotThereOrNoYamlIsNamed() throws IOException {
    assertThatThrownBy(() -> OptionsFile.read(file)).hasMessage(file + ": no such file");

    write("a: [");
    assertThatThrownBy(() -> OptionsFile.read(file)).hasMessageStartingWith(file + ":1:");
  }

  @Test
  void whatWasSaidFirstWins() {
    PartialOptions flags =
        new PartialOptions(
            null,
            null,
            new XdsOptions(new ListenAddress("a", 1), null, null, null, null),
            AdminOptions.none(),
            null,
            null,
            null,
            null,
            null,
            null,
            ClusterOptions.none(),
            null,
            TrafficOptions.none(),
            LogOptions.none(),
            AuthorOptions.none(),
            ScoutOptions.none(),
            MonitoringOptions.none());
    PartialOptions inFile =
        new PartialOptions(
            Path.of("x"),
            null,
            new XdsOptions(new ListenAddress("b", 2), null, null, null, null),
            AdminOptions.none(),
            null,
            null,
            null,
            null,
            null,
            null,
            ClusterOptions.none(),
            null,
            TrafficOptions.none(),
            LogOptions.none(),
            AuthorOptions.none(),
            ScoutOptions.none(),
            MonitoringOptions.none());

    PartialOptions both = flags.orElse(inFile);

    assertThat(both.xds().address()).isEqualTo(new ListenAddress("a", 1));
    assertThat(both.directory()).isEqualTo(Path.of("x"));
  }

  @Test
  void aClusterCanBeTheSource() throws Exception {
    write(
        """
        source:
          type: kubernetes
          kubernetes: {kubeconfig: admin.conf, context: staging, namespaces: "shop, web",
            publicAddress: "service:envoy/envoy"}
        """);
    assertThat(OptionsFile.read(file).complete(Map.of("HOME", "/home/ann")).source())
        .isEqualTo(
            new SourceOptions.Cluster(
                List.of(directory.resolve("admin.conf")),
                "staging",
                new TreeSet<>(List.of("shop", "web")),
                PublicAddress.parse("service:envoy/envoy")));

    write("source: {type: kubernetes, directory: objects}");
    assertThatThrownBy(() -> OptionsFile.read(file).complete(Map.of("HOME", "/home/ann")))
        .hasMessageContaining("a directory together with --kubernetes");
    write("source: {directory: objects, kubernetes: {context: staging}}");
    assertThatThrownBy(() -> OptionsFile.read(file).complete(Map.of("HOME", "/home/ann")))
        .hasMessageContaining("options of a cluster without --kubernetes");
    write("source: {type: etcd}");
    assertThatThrownBy(() -> OptionsFile.read(file))
        .hasMessageContaining("'etcd' (expected: directory or kubernetes)");
  }

  @Test
  void theStateCanBeInAnEtcd() throws Exception {
    write(
        """
        source: {directory: objects}
        state:
          path: etcds://a:2379,b:2379/holdfast
          etcd: {ca: ca.pem, certificate: cert.pem, key: key.pem, userFile: user}
        """);
    assertThat(OptionsFile.read(file).complete(Map.of("HOME", "/home/ann")).state())
        .isEqualTo(
            new StateOptions.InEtcd(
                EtcdPlace.parse("etcds://a:2379,b:2379/holdfast"),
                new EtcdCredentials(
                    directory.resolve("ca.pem"),
                    directory.resolve("cert.pem"),
                    directory.resolve("key.pem"),
                    directory.resolve("user"))));

    write("state: {path: state.db, etcd: {ca: ca.pem}}");
    assertThatThrownBy(() -> OptionsFile.read(file))
        .hasMessageContaining("state.etcd: credentials of an etcd without a state in one");
    write("state: {path: 'etcd://a'}");
    assertThatThrownBy(() -> OptionsFile.read(file))
        .hasMessageContaining("'etcd://a' (expected: etcd://HOST:PORT[,HOST:PORT...]/PREFIX");
  }

  @Test
  void inAPodTheClusterIsThePodsOwn() throws Exception {
    write("source: {type: kubernetes}");
    Map<String, String> pod = Map.of("KUBERNETES_SERVICE_HOST", "10.96.0.1", "HOME", "/");
    assertThat(OptionsFile.read(file).complete(pod).source())
        .isEqualTo(new SourceOptions.Cluster(List.of(), null, new TreeSet<>(), PublicAddress.NONE));
  }

  @Test
  void thereIsNoDefaultForTheDirectory() {
    assertThatThrownBy(() -> PartialOptions.none().complete(Map.of()))
        .hasMessageStartingWith("no directory to serve");
  }

  private void write(String content) throws IOException {
    Files.writeString(file, content);
    ownerOnly(file);
  }

  @Test
  void tlsOfTheXdsPortNeedsAWholePair() throws Exception {
    write(
        """
        source: {directory: objects}
        state: {path: state.db}
        xds: {certificate: tls/cert.pem, key: tls/key.pem, clientCa: ca.pem, clientCrl: crl.pem}
        """);

    assertThat(OptionsFile.read(file).complete(Map.of()).security().tls())
        .isEqualTo(
            new TlsFiles(
                directory.resolve("tls/cert.pem"),
                directory.resolve("tls/key.pem"),
                directory.resolve("ca.pem"),
                directory.resolve("crl.pem")));

    assertThat(tlsProblem("certificate: cert.pem"))
        .isEqualTo("--xds-certificate without --xds-key (expected: both)");
    assertThat(tlsProblem("key: key.pem"))
        .isEqualTo("--xds-key without --xds-certificate (expected: both)");
    assertThat(tlsProblem("clientCa: ca.pem"))
        .isEqualTo(
            "--xds-client-ca without a certificate (expected: --xds-certificate and --xds-key,"
                + " too)");
    assertThat(tlsProblem("certificate: a, key: b, clientCrl: crl.pem"))
        .isEqualTo(
            "--xds-client-crl without --xds-client-ca (expected: the CA that signed the list)");
  }

  private String tlsProblem(String xds) throws Exception {
    write("source: {directory: objects}\nstate: {path: s}\nxds: {" + xds + "}\n");
    PartialOptions options = OptionsFile.read(file);
    return String.valueOf(
        assertThrows(StartException.class, () -> options.complete(Map.of())).getMessage());
  }

  @Test
  void identitiesAreRulesInTheirOrder() throws Exception {
    write(
        """
        source: {directory: objects}
        state: {path: state.db}
        xds:
          certificate: cert.pem
          key: key.pem
          clientCa: ca.pem
          identities:
          - {identity: "spiffe://test/envoy/*", nodes: "{1}", groups: [edge, inner]}
          - {identity: "*.shop.example", role: application, vote: false}
        """);

    assertThat(OptionsFile.read(file).complete(Map.of()).security().identities())
        .containsExactly(
            new AccessRule(
                new NamePattern("spiffe://test/envoy/*"),
                AccessRule.Role.PROXY,
                List.of(new NamePattern("{1}")),
                List.of(new NamePattern("edge"), new NamePattern("inner")),
                List.of(),
                /* vote= */ true,
                /* secrets= */ true),
            new AccessRule(
                new NamePattern("*.shop.example"),
                AccessRule.Role.APPLICATION,
                List.of(),
                List.of(),
                List.of(),
                /* vote= */ false,
                /* secrets= */ false));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "{identity: a, nods: b}|xds.identities[0].nods: unknown field",
        "{nodes: b}|xds.identities[0].identity: missing",
        "{identity: a, role: king}|xds.identities[0].role: 'king' (expected: proxy, scout, application",
        "{identity: a, vote: maybe}|xds.identities[0].vote: not a flag",
        "{identity: a, role: application, secrets: true}|xds.identities[0].secrets: true for",
        "{identity: a, nodes: '{1}'}|xds.identities[0].nodes: '{1}' (expected: a * in the",
      })
  void anIdentityThatIsNotUnderstoodIsRefused(String identity, String problem) throws Exception {
    write("xds: {identities: [" + identity + "]}\n");

    assertThatThrownBy(() -> OptionsFile.read(file)).hasMessageContaining(problem);
  }

  @Test
  void identitiesNeedAClientCa() throws Exception {
    assertThat(tlsProblem("certificate: a, key: b, identities: [{identity: c}]"))
        .isEqualTo(
            "xds.identities without --xds-client-ca (expected: the CA that signs their"
                + " certificates)");
  }
}
