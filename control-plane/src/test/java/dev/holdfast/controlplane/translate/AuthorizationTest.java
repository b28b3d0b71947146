// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.controlplane.translate;

import static dev.holdfast.controlplane.translate.YamlObjects.proxy;
import static dev.holdfast.controlplane.translate.YamlObjects.routes;
import static dev.holdfast.controlplane.translate.YamlObjects.service;
import static dev.holdfast.controlplane.translate.YamlObjects.to;
import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.Any;
import com.google.protobuf.InvalidProtocolBufferException;
import dev.holdfast.config.ObjectKey;
import dev.holdfast.controlplane.objects.httpproxy.Authorization;
import dev.holdfast.controlplane.objects.read.Timeout;
import dev.holdfast.controlplane.snapshot.Resource;
import dev.holdfast.controlplane.snapshot.ResourceType;
import dev.holdfast.controlplane.translate.index.Settings;
import dev.holdfast.testkit.TestCa;
import io.envoyproxy.envoy.config.core.v3.TypedExtensionConfig;
import io.envoyproxy.envoy.config.route.v3.FilterConfig;
import io.envoyproxy.envoy.config.route.v3.VirtualHost;
import io.envoyproxy.envoy.extensions.filters.http.ext_authz.v3.ExtAuthz;
import io.envoyproxy.envoy.extensions.filters.http.ext_authz.v3.ExtAuthzPerRoute;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Hosts whose requests a service decides about. */
class AuthorizationTest {
  private static final String FILTER = "authorization/default/a";
  private static final TestCa CA = TestCa.create("test");
  private static final TestCa.Identity ONE = CA.issue("one");

  private static String secret() {
    return YamlObjects.object(
        "v1",
        "Secret",
        "cert",
        "type: kubernetes.io/tls, stringData: {tls.crt: "
            + quote(ONE.certificatePem())
            + ", tls.key: "
            + quote(ONE.privateKeyPem())
            + "}");
  }

  private static String quote(String pem) {
    return "\"" + pem.replace("\n", "\\n") + "\"";
  }

  private static String extension(String more) {
    return YamlObjects.object(
        "projectcontour.io/v1alpha1",
        "ExtensionService",
        "login",
        "spec: {services: [{name: auth, port: 80}], protocol: h2c" + more + "}");
  }

  private static String host(String authorization, String rest) {
    return proxy(
        "a",
        "virtualhost: {fqdn: a.com, tls: {secretName: cert}, authorization: {extensionRef: {name:"
            + " login}"
            + authorization
            + "}}, "
            + rest);
  }

  private static ExtAuthz filter(Translation translation) throws InvalidProtocolBufferException {
    Resource resource = TranslationText.resource(translation, ResourceType.EXTENSION, FILTER);
    return TranslationText.parse(resource.body(), TypedExtensionConfig.parser())
        .getTypedConfig()
        .unpack(ExtAuthz.class);
  }

  private static VirtualHost secure(Translation translation) {
    return TranslationText.table(translation, "https/a.com").getVirtualHostsList().stream()
        .filter(host -> host.getName().equals("a.com"))
        .findFirst()
        .orElseThrow();
  }

  private static FilterConfig config(@Nullable Any config) throws InvalidProtocolBufferException {
    assertThat(config).isNotNull();
    return config.unpack(FilterConfig.class);
  }

  @Test
  void theServiceIsAskedByAFilterOfTheHost() throws InvalidProtocolBufferException {
    Translation translation =
        YamlObjects.translation(
            service("s")
                + service("auth")
                + secret()
                + extension(", timeoutPolicy: {response: 2s}")
                + host(", failOpen: true, withRequestBody: {packAsBytes: true}", routes(to("s"))));
    ExtAuthz filter = filter(translation);

    assertThat(TranslationText.problems(translation)).isEmpty();
    assertThat(filter.getGrpcService().getEnvoyGrpc().getClusterName())
        .isEqualTo("extension/default/login");
    assertThat(filter.getGrpcService().getEnvoyGrpc().getAuthority())
        .isEqualTo("extension.default.login");
    assertThat(filter.getGrpcService().getTimeout().getSeconds()).isEqualTo(2);
    assertThat(filter.getFailureModeAllow()).isTrue();
    assertThat(filter.getWithRequestBody().getMaxRequestBytes()).isEqualTo(1024);
    assertThat(TranslationText.names(translation, ResourceType.CLUSTER))
        .containsExactly("default/s/80", "extension/default/login");
    Resource resource = TranslationText.resource(translation, ResourceType.EXTENSION, FILTER);
    assertThat(resource.clusters().get("extension/default/login")).isNotNull();
    assertThat(TranslationText.places(resource))
        .anyMatch(place -> place.contains("spec.virtualhost.authorization"))
        .anyMatch(place -> place.contains("ExtensionService/default/login"));
    assertThat(config(secure(translation).getTypedPerFilterConfigMap().get(FILTER)).getDisabled())
        .isFalse();
    assertThat(
            TranslationText.resource(translation, ResourceType.ROUTES, "https/a.com")
                .filters()
                .get(FILTER))
        .isNotNull();
    assertThat(
            TranslationText.resource(translation, ResourceType.LISTENER, "ingress_https")
                .body()
                .toStringUtf8())
        .contains(FILTER)
        .doesNotContain("extension/default/login");
  }

  @Test
  void routesMayDisableItOrSayMore() throws InvalidProtocolBufferException {
    Translation translation =
        YamlObjects.translation(
            service("s")
                + service("auth")
                + secret()
                + extension("")
                + host(
                    ", authPolicy: {context: {a: host, b: host}}",
                    routes(
                        "{conditions: [{exact: /open}], services: [{name: s, port: 80}],"
                            + " authPolicy: {disabled: true}}",
                        "{conditions: [{prefix: /x}], services: [{name: s, port: 80}], authPolicy:"
                            + " {context: {a: route}}}",
                        to("s"))));
    VirtualHost host = secure(translation);

    assertThat(config(host.getRoutes(0).getTypedPerFilterConfigMap().get(FILTER)).getDisabled())
        .isTrue();
    assertThat(context(host.getRoutes(1).getTypedPerFilterConfigMap().get(FILTER)))
        .isEqualTo(Map.of("a", "route", "b", "host"));
    assertThat(host.getRoutes(2).getTypedPerFilterConfigMap()).isEmpty();
    assertThat(context(host.getTypedPerFilterConfigMap().get(FILTER)))
        .isEqualTo(Map.of("a", "host", "b", "host"));
    assertThat(TranslationText.grpc(translation))
        .anyMatch(line -> line.contains("virtualhost.authorization (gRPC clients would bypass"));
  }

  private static Map<String, String> context(@Nullable Any any)
      throws InvalidProtocolBufferException {
    return config(any)
        .getConfig()
        .unpack(ExtAuthzPerRoute.class)
        .getCheckSettings()
        .getContextExtensionsMap();
  }

  @Test
  void aServiceThatSpeaksHttpIsAskedWithTheHeadersItMaySee() throws InvalidProtocolBufferException {
    ExtAuthz filter =
        filter(
            YamlObjects.translation(
                service("s")
                    + service("auth")
                    + secret()
                    + extension("")
                    + host(
                        ", serviceType: http, responseTimeout: 1s, httpSettings: {pathPrefix:"
                            + " /check, allowedAuthorizationHeaders: [{prefix: x-, ignoreCase:"
                            + " true}], allowedUpstreamHeaders: [{exact: x-user}]}",
                        routes(to("s")))));

    assertThat(filter.getHttpService().getServerUri().getCluster())
        .isEqualTo("extension/default/login");
    assertThat(filter.getHttpService().getServerUri().getTimeout().getSeconds()).isEqualTo(1);
    assertThat(filter.getHttpService().getPathPrefix()).isEqualTo("/check");
    assertThat(filter.getAllowedHeaders().getPatterns(0).getPrefix()).isEqualTo("x-");
    assertThat(
            filter
                .getHttpService()
                .getAuthorizationResponse()
                .getAllowedUpstreamHeaders()
                .getPatterns(0)
                .getExact())
        .isEqualTo("x-user");
  }

  @Test
  void aHostIsNotServedWithoutTheServiceThatDecides() {
    String rest = service("s") + secret() + host("", routes(to("s")));
    Translation without = YamlObjects.translation(rest);
    Translation unfinished = without.with(YamlObjects.objects(extension("")));
    Translation complete = unfinished.with(YamlObjects.objects(service("auth")));
    Translation gone =
        complete.with(YamlObjects.without(new ObjectKey("Service", "default", "auth")));

    assertThat(TranslationText.hosts(without)).isEmpty();
    assertThat(TranslationText.problems(without))
        .containsExactly(
            "HTTPProxy/default/a: spec.virtualhost.authorization.extensionRef:"
                + " ExtensionService/default/login does not exist");
    assertThat(TranslationText.hosts(unfinished)).isEmpty();
    assertThat(TranslationText.problems(unfinished))
        .containsExactly(
            "ExtensionService/default/login: spec.services[0]: Service/default/auth does not exist",
            "HTTPProxy/default/a: spec.virtualhost.authorization.extensionRef:"
                + " ExtensionService/default/login is not valid");
    assertThat(TranslationText.hosts(complete)).containsExactly("a.com");
    assertThat(TranslationText.hosts(gone)).isEmpty();
    assertThat(TranslationText.names(gone, ResourceType.EXTENSION)).isEmpty();
    assertThat(TranslationText.names(gone, ResourceType.CLUSTER)).isEmpty();
  }

  private static final String FOR_ALL = "authorization-for-all/default/login";

  private static Translation forAll(String yaml) {
    Authorization authorization =
        new Authorization(
            "default",
            "login",
            Authorization.Type.GRPC,
            new Authorization.Http("", List.of(), List.of()),
            new Authorization.Policy(
                /* disabled= */ false, new TreeMap<>(Map.of("from", "everywhere"))),
            Timeout.DEFAULT,
            /* failOpen= */ false,
            null);
    return Translation.empty(
            TranslationOptions.defaults().with(Settings.DEFAULT.withAuthorization(authorization)))
        .with(YamlObjects.objects(service("s") + service("auth") + secret() + yaml));
  }

  private static Map<String, Any> plain(Translation translation, String name) {
    return TranslationText.table(translation, "ingress_http").getVirtualHostsList().stream()
        .filter(host -> host.getName().equals(name))
        .findFirst()
        .orElseThrow()
        .getTypedPerFilterConfigMap();
  }

  @Test
  void oneServiceDecidesForAllHostsWithoutOne() throws InvalidProtocolBufferException {
    Translation translation =
        forAll(
            extension("")
                + host("", routes(to("s")))
                + proxy("b", "virtualhost: {fqdn: b.com}, " + routes(to("s")))
                + proxy(
                    "c",
                    "virtualhost: {fqdn: c.com, authorization: {authPolicy: {disabled: true}}}, "
                        + routes(to("s")))
                + proxy(
                    "d",
                    "virtualhost: {fqdn: d.com, authorization: {authPolicy: {context: {from:"
                        + " here}}}}, "
                        + routes(to("s"))));

    assertThat(TranslationText.problems(translation)).isEmpty();
    assertThat(TranslationText.names(translation, ResourceType.EXTENSION))
        .containsExactly(FOR_ALL, FILTER);
    assertThat(secure(translation).getTypedPerFilterConfigMap()).containsOnlyKeys(FILTER);
    assertThat(context(plain(translation, "b.com"))).containsEntry("from", "everywhere");
    assertThat(config(plain(translation, "c.com").get(FOR_ALL)).getDisabled()).isTrue();
    assertThat(context(plain(translation, "d.com"))).containsOnly(Map.entry("from", "here"));
  }

  private static Map<String, String> context(Map<String, Any> configs)
      throws InvalidProtocolBufferException {
    return config(configs.get(FOR_ALL))
        .getConfig()
        .unpack(ExtAuthzPerRoute.class)
        .getCheckSettings()
        .getContextExtensionsMap();
  }

  @Test
  void noHostIsServedWithoutTheServiceForAll() {
    Translation missing = forAll(proxy("b", "virtualhost: {fqdn: b.com}, " + routes(to("s"))));
    Translation nobody =
        YamlObjects.translation(
            service("s")
                + proxy("b", "virtualhost: {fqdn: b.com, authorization: {}}, " + routes(to("s"))));

    assertThat(TranslationText.hosts(missing)).isEmpty();
    assertThat(TranslationText.problems(missing))
        .containsExactly(
            "HTTPProxy/default/b: spec.virtualhost: the server's authorization for all hosts:"
                + " ExtensionService/default/login does not exist");
    assertThat(TranslationText.problems(nobody))
        .containsExactly(
            "HTTPProxy/default/b: spec.virtualhost.authorization: no service (expected:"
                + " extensionRef, or traffic.authorization in the configuration file of the"
                + " server)");
  }
}
