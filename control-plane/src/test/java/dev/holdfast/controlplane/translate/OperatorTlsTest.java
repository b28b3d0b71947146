// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.controlplane.translate;

import static dev.holdfast.controlplane.translate.YamlObjects.proxy;
import static dev.holdfast.controlplane.translate.YamlObjects.routes;
import static dev.holdfast.controlplane.translate.YamlObjects.service;
import static dev.holdfast.controlplane.translate.YamlObjects.to;
import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.InvalidProtocolBufferException;
import dev.holdfast.config.ObjectKey;
import dev.holdfast.controlplane.objects.httpproxy.Tls;
import dev.holdfast.controlplane.snapshot.Resource;
import dev.holdfast.controlplane.snapshot.ResourceType;
import dev.holdfast.controlplane.translate.index.BackendTls;
import dev.holdfast.controlplane.translate.index.Settings;
import dev.holdfast.testkit.TestCa;
import io.envoyproxy.envoy.config.listener.v3.FilterChain;
import io.envoyproxy.envoy.config.route.v3.VirtualHost;
import io.envoyproxy.envoy.extensions.transport_sockets.tls.v3.TlsParameters.TlsProtocol;
import io.envoyproxy.envoy.extensions.transport_sockets.tls.v3.UpstreamTlsContext;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Certificates and TLS versions that the operator decides about. */
class OperatorTlsTest {
  private static final TestCa CA = TestCa.create("test");
  private static final ObjectKey EDGE = new ObjectKey("Secret", "default", "edge");
  private static final Settings FALLBACK = Settings.DEFAULT.withFallbackCertificate(EDGE);

  private static String secret(String name) {
    TestCa.Identity identity = CA.issue(name);
    return YamlObjects.object(
        "v1",
        "Secret",
        name,
        "type: kubernetes.io/tls, stringData: {tls.crt: "
            + quote(identity.certificatePem())
            + ", tls.key: "
            + quote(identity.privateKeyPem())
            + "}");
  }

  private static String quote(String pem) {
    return "\"" + pem.replace("\n", "\\n") + "\"";
  }

  private static String host(String name, String tls) {
    return proxy(
        name, "virtualhost: {fqdn: " + name + ".com, tls: {" + tls + "}}, " + routes(to("s")));
  }

  private static String withFallback(String name) {
    return host(name, "secretName: cert, enableFallbackCertificate: true");
  }

  private static Translation translation(Settings settings, String yaml) {
    return Translation.empty(TranslationOptions.defaults().with(settings))
        .with(YamlObjects.objects(service("s") + secret("cert") + yaml));
  }

  private static List<FilterChain> chains(Translation translation) {
    return TranslationText.listener(translation, "ingress_https").getFilterChainsList();
  }

  private static List<String> fallbackHosts(Translation translation) {
    return TranslationText.table(translation, "ingress_fallbackcert").getVirtualHostsList().stream()
        .map(VirtualHost::getName)
        .toList();
  }

  @Test
  void hostsWithTheFallbackCertificateShareAChainWithoutAName() {
    Translation translation =
        translation(
            FALLBACK,
            secret("edge") + withFallback("b") + withFallback("a") + host("c", "secretName: cert"));

    assertThat(TranslationText.problems(translation)).isEmpty();
    assertThat(chains(translation))
        .extracting(chain -> String.join(",", chain.getFilterChainMatch().getServerNamesList()))
        .containsExactlyInAnyOrder("a.com", "b.com", "c.com", "");
    assertThat(fallbackHosts(translation)).containsExactly("a.com", "b.com");
    assertThat(TranslationText.names(translation, ResourceType.SECRET))
        .containsExactly("default/cert", "default/edge");
  }

  @Test
  void theChainGoesWithItsLastHost() {
    Translation both =
        translation(FALLBACK, secret("edge") + withFallback("a") + withFallback("b"));
    Translation one = both.with(YamlObjects.objects(host("a", "secretName: cert")));
    Translation none = one.with(YamlObjects.objects(host("b", "secretName: cert")));

    assertThat(fallbackHosts(one)).containsExactly("b.com");
    assertThat(chains(one)).hasSize(3);
    assertThat(chains(none)).hasSize(2);
    assertThat(none.snapshot().get(ResourceType.ROUTES, "ingress_fallbackcert")).isNull();
    assertThat(TranslationText.names(none, ResourceType.SECRET)).containsExactly("default/cert");
  }

  @Test
  void askingForTheFallbackCertificateIsAPartOfTheListener() {
    Translation before = translation(FALLBACK, secret("edge") + host("a", "secretName: cert"));
    Translation after = before.with(YamlObjects.objects(withFallback("a")));
    ObjectKey proxy = YamlObjects.proxyKey("a");

    assertThat(listener(after).contributions().get(proxy))
        .isNotNull()
        .isNotEqualTo(listener(before).contributions().get(proxy));
  }

  private static Resource listener(Translation translation) {
    return TranslationText.resource(translation, ResourceType.LISTENER, "ingress_https");
  }

  @Test
  void withoutTheFallbackCertificateAHostIsServedUnderItsNameOnly() {
    Translation nowhere = translation(Settings.DEFAULT, withFallback("a"));
    Translation missing = translation(FALLBACK, withFallback("a"));

    assertThat(TranslationText.problems(nowhere))
        .containsExactly(
            "HTTPProxy/default/a: spec.virtualhost.tls.enableFallbackCertificate: the server has no"
                + " fallback certificate (expected: the option --fallback-certificate)");
    assertThat(TranslationText.problems(missing))
        .containsExactly(
            "HTTPProxy/default/a: spec.virtualhost.tls.enableFallbackCertificate:"
                + " Secret/default/edge does not exist");
    assertThat(chains(missing)).extracting(FilterChain::getName).containsExactly("a.com");
    assertThat(chains(missing.with(YamlObjects.objects(secret("edge"))))).hasSize(2);
  }

  @Test
  void theFallbackCertificateOfAnotherNamespaceNeedsADelegation() {
    Settings elsewhere =
        Settings.DEFAULT.withFallbackCertificate(new ObjectKey("Secret", "edge", "cert"));

    assertThat(TranslationText.problems(translation(elsewhere, withFallback("a"))))
        .containsExactly(
            "HTTPProxy/default/a: spec.virtualhost.tls.enableFallbackCertificate: Secret/edge/cert"
                + " is in another namespace (expected: a TLSCertificateDelegation there for"
                + " namespace default)");
  }

  private static UpstreamTlsContext context(Translation translation, String cluster)
      throws InvalidProtocolBufferException {
    return TranslationText.cluster(translation, cluster)
        .getTransportSocket()
        .getTypedConfig()
        .unpack(UpstreamTlsContext.class);
  }

  private static final String TLS =
      proxy(
          "tls",
          "virtualhost: {fqdn: tls.com}, "
              + routes("{services: [{name: s, port: 80, protocol: tls}]}"));

  @Test
  void servicesWithTlsAreShownTheClientCertificate() throws InvalidProtocolBufferException {
    Translation translation =
        translation(
            Settings.DEFAULT.withBackendTls(
                new BackendTls(EDGE, Tls.Version.TLS_1_3, Tls.Version.TLS_1_3)),
            secret("edge") + TLS + proxy("b", "virtualhost: {fqdn: b.com}, " + routes(to("s"))));
    UpstreamTlsContext context = context(translation, "default/s/80/tls");

    assertThat(TranslationText.problems(translation)).isEmpty();
    assertThat(context.getCommonTlsContext().getTlsCertificateSdsSecretConfigs(0).getName())
        .isEqualTo("default/edge");
    assertThat(context.getCommonTlsContext().getTlsParams().getTlsMinimumProtocolVersion())
        .isEqualTo(TlsProtocol.TLSv1_3);
    assertThat(TranslationText.names(translation, ResourceType.SECRET))
        .containsExactly("default/edge");
    assertThat(TranslationText.cluster(translation, "default/s/80").hasTransportSocket()).isFalse();
  }

  @Test
  void aMissingClientCertificateIsAnErrorOfThoseWhoNeedIt() {
    Translation translation =
        translation(
            Settings.DEFAULT.withBackendTls(
                new BackendTls(EDGE, Tls.Version.TLS_1_2, Tls.Version.TLS_1_3)),
            TLS + proxy("b", "virtualhost: {fqdn: b.com}, " + routes(to("s"))));

    assertThat(TranslationText.problems(translation))
        .containsExactly(
            "HTTPProxy/default/tls: spec.routes[0].services[0]: the server's client certificate for"
                + " TLS: Secret/default/edge does not exist");
  }

  @Test
  void withoutSettingsThereIsNoClientCertificate() throws InvalidProtocolBufferException {
    UpstreamTlsContext context = context(translation(Settings.DEFAULT, TLS), "default/s/80/tls");

    assertThat(context.getCommonTlsContext().getTlsCertificateSdsSecretConfigsList()).isEmpty();
    assertThat(context.getCommonTlsContext().getTlsParams().getTlsMinimumProtocolVersion())
        .isEqualTo(TlsProtocol.TLSv1_2);
    assertThat(context.getCommonTlsContext().getTlsParams().getTlsMaximumProtocolVersion())
        .isEqualTo(TlsProtocol.TLSv1_3);
  }
}
