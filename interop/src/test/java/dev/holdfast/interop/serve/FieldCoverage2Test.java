// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.interop.serve;

import static java.util.Map.entry;
import static org.assertj.core.api.Assertions.assertThat;

import java.lang.reflect.Method;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Which test sees the effect of which field in a real Envoy: TLS, clusters, TCP, endpoints, Ingress
 * and extensions. The fields of HTTP routing have a table of their own.
 */
class FieldCoverage2Test {
  /** Fields, and the tests that see them as {@code Class.method}. */
  static final List<Map.Entry<String, String>> FIELDS =
      List.of(
          entry("HTTPProxy ingressClassName", "IngressClassTest.aClassThatIsOursIsServed"),
          entry(
              "HTTPProxy ingressClassName of others", "IngressClassTest.aClassOfOthersIsNotServed"),
          entry("HTTPProxy class annotations", "IngressClassTest.anAnnotationOfAProxyWinsToo"),
          entry("virtualhost.tls.secretName", "TlsHostsTest.eachHostShowsItsOwnCertificate"),
          entry(
              "virtualhost.tls.secretName (other namespace)",
              "CertificateDelegationTest.aSecretIsUsedAsLongAsItsOwnerAllowsIt"),
          entry(
              "virtualhost.tls.enableFallbackCertificate",
              "OperatorTlsTest.clientsThatNameNoHostAreServedWithTheFallbackCertificate"),
          entry("virtualhost.tls.passthrough", "TcpProxyTest.tlsIsPassedThrough"),
          entry(
              "virtualhost.tls.minimumProtocolVersion",
              "TlsHostsTest.aMinimumVersionTurnsOlderClientsAway"),
          entry(
              "virtualhost.tls.maximumProtocolVersion",
              "TlsHostsTest.aMaximumVersionIsNotExceeded"),
          entry(
              "clientValidation.caSecret", "ClientCertificatesTest.onlyClientsOfTheAuthorityGetIn"),
          entry(
              "clientValidation.optionalClientCertificate",
              "ClientCertificatesTest.anOptionalCertificateMustBeRightIfItIsShown"),
          entry(
              "clientValidation.skipClientCertValidation",
              "ClientCertificatesTest.aCertificateThatIsNotCheckedMustBeThereIfThereIsAnAuthority"),
          entry(
              "clientValidation.skipClientCertValidation without caSecret",
              "ClientCertificatesTest.aCertificateThatIsNotCheckedIsAskedForAndNotNeededIfThereIsNoAuthority"),
          entry(
              "clientValidation.crlSecret, crlOnlyVerifyLeafCert",
              "ClientCertificatesTest.aCertificateThatIsRevokedIsTurnedAwayAndABadListRevokesNoLess"),
          entry(
              "clientValidation.crlSecret, missing",
              "ClientCertificatesTest.aHostWhoseListIsMissingIsNotServed"),
          entry(
              "clientValidation.forwardClientCertificate",
              "ClientCertificatesTest.theServiceIsToldWhoTheClientIs"),
          entry("Service type ExternalName", "TrafficOptionsTest.anExternalNameIsResolvedByEnvoy"),
          entry(
              "Service type ExternalName, not allowed",
              "TrafficOptionsTest.anExternalNameNeedsTheOperatorsLeave"),
          entry(
              "virtualhost.authorization, authPolicy",
              "AuthorizationTest.onlyWhatTheServiceAllowsGetsThrough"),
          entry(
              "virtualhost.authorization.serviceType, httpSettings",
              "AuthorizationTest.aServiceMaySpeakHttp"),
          entry(
              "virtualhost.authorization.failOpen",
              "AuthorizationTest.aServiceThatIsGoneLetsNobodyInUnlessItsHostSaysSo"),
          entry(
              "virtualhost.authorization.extensionRef, missing",
              "AuthorizationTest.aNewHostIsNotServedWithoutItsService"),
          entry(
              "virtualhost.authorization.extensionRef, edited",
              "AuthorizationTest.anEditThatTakesTheServiceAwayIsHeld"),
          entry(
              "rateLimitPolicy.global.descriptors, disabled",
              "GlobalRateLimitTest.theServiceDecidesWhatIsTooMuch"),
          entry(
              "rateLimitPolicy.global, service missing",
              "GlobalRateLimitTest.anEditThatTakesTheServiceAwayIsHeld"),
          entry("Secret, renewed", "TlsHostsTest.aRenewedCertificateKeepsItsNameAndIsShown"),
          entry(
              "Secret ca.crt, changed",
              "ClientCertificatesTest.anAuthorityThatChangesIsBelievedFromThenOn"),
          entry("Secret, late", "TlsHostsTest.aHostWaitsForItsSecretWithoutBotheringOthers"),
          entry(
              "TLSCertificateDelegation.targetNamespaces",
              "CertificateDelegationTest.aDelegationForAnotherNamespaceOrSecretDoesNotHelp"),
          entry(
              "TLSCertificateDelegation.targetNamespaces *",
              "CertificateDelegationTest.everybodyMayUseWhatIsLentToAll"),
          entry(
              "TLSCertificateDelegation of an authority",
              "CertificateDelegationTest.anAuthorityIsLentLikeACertificate"),
          entry("tcpproxy.services", "TcpProxyTest.tlsEndsAtTheProxy"),
          entry("tcpproxy.services[].weight", "TcpProxyTest.connectionsAreSharedOutByWeight"),
          entry("tcpproxy.services[].weight 0", "TcpProxyTest.whoHasNoWeightGetsNothing"),
          entry("tcpproxy.services[].weight, none", "TcpProxyTest.allGetTheSameIfNobodyHasAWeight"),
          entry("tcpproxy.include", "TcpProxyTest.anotherProxySaysWhereTo"),
          entry(
              "tcpproxy.loadBalancerPolicy",
              "TcpProxyTest.anEndpointThatTakesNoConnectionsGetsNone"),
          entry(
              "tcpproxy.healthCheckPolicy",
              "TcpProxyTest.anEndpointThatTakesNoConnectionsGetsNone"),
          entry("tcpproxy with routes", "TcpProxyTest.plainRequestsOfTheHostStillHaveRoutes"),
          entry("services[].protocol h2c", "UpstreamsTest.h2cIsHttp2WithoutTls"),
          entry("services[].protocol h2", "UpstreamsTest.h2IsHttp2WithTls"),
          entry("services[].protocol tls", "UpstreamsTest.tlsIsHttp1WithTls"),
          entry(
              "services[].validation.caSecret",
              "UpstreamsTest.aServiceOfAnotherAuthorityGetsNoRequests"),
          entry(
              "services[].validation.subjectName",
              "UpstreamsTest.aServiceIsBelievedIfItsAuthorityAndNameAreRight"),
          entry(
              "services[].validation.subjectName, wrong",
              "UpstreamsTest.aServiceOfAnotherNameGetsNoRequests"),
          entry("services[].validation.subjectNames", "UpstreamsTest.oneOfSeveralNamesIsEnough"),
          entry(
              "server name of requestHeadersPolicy Host",
              "UpstreamsTest.theServerThatIsAskedForIsTheHostThatIsSet"),
          entry(
              "timeoutPolicy.idleConnection",
              "UpstreamsTest.anIdleConnectionIsKeptForAsLongAsTheRouteSays"),
          entry(
              "healthCheckPolicy.path, host, intervalSeconds, timeoutSeconds, thresholds",
              "HealthChecksTest.anEndpointThatFallsIllLeavesAndReturnsWhenItIsWell"),
          entry("healthCheckPolicy defaults", "HealthChecksTest.theDefaultsAreContours"),
          entry(
              "healthCheckPolicy.expectedStatuses", "HealthChecksTest.otherStatusesCanMeanHealth"),
          entry(
              "Service upstream-protocol.h2c, .tls by name",
              "UpstreamsTest.anAnnotationOfTheServiceNamesThePort"),
          entry(
              "Service upstream-protocol.h2 by number",
              "UpstreamsTest.anAnnotationOfTheServiceNumbersThePort"),
          entry(
              "Service max-connections, max-pending-requests",
              "ServiceSettingsTest.whatIsTooMuchIsTurnedAway"),
          entry(
              "Service max-requests, max-retries, per-host-max-connections",
              "ServiceSettingsTest.limitsReachTheCluster"),
          entry("Service ports by name", "EndpointsTest.portsAreFoundByTheirNames"),
          entry("Service port without a name", "EndpointsTest.aPortWithoutANameIsTheOnlyOne"),
          entry(
              "EndpointSlice conditions.ready",
              "EndpointsTest.onlyEndpointsThatAreReadyGetRequests"),
          entry("EndpointSlice, several", "EndpointsTest.severalSlicesAreOneService"),
          entry("EndpointSlice zone", "EndpointsTest.zonesAreLocalities"),
          entry(
              "EndpointSlice, none",
              "EndpointsTest.aServiceWithoutEndpointsAnswers503UntilOneComes"),
          entry("Ingress rules[].host", "IngressTest.eachHostHasItsOwnPaths"),
          entry("Ingress rules[].host, wildcard", "IngressTest.aWildcardHostIsOneLabel"),
          entry("Ingress rules[].host, none", "IngressTest.aRuleWithoutAHostIsForAll"),
          entry("Ingress pathType Prefix", "IngressTest.aPrefixIsOfWholeSegments"),
          entry("Ingress pathType Exact", "IngressTest.anExactPathIsThatPathOnly"),
          entry(
              "Ingress pathType ImplementationSpecific",
              "IngressTest.anImplementationSpecificPathIsAPrefixOfCharacters"),
          entry(
              "Ingress pathType ImplementationSpecific, regex",
              "IngressTest.anImplementationSpecificPathWithSignsOfARegexIsOne"),
          entry("Ingress order of paths", "IngressTest.theLongestPathCounts"),
          entry("Ingress backend.service.port.name", "IngressTest.aPortGoesByItsName"),
          entry("Ingress defaultBackend", "IngressTest.whatNobodyWantsGoesToTheDefaultBackend"),
          entry("Ingress tls", "IngressTest.aHostWithACertificateIsServedWithAndWithoutTls"),
          entry("Ingress ingressClassName", "IngressClassTest.aClassOfOthersIsNotServed"),
          entry("Ingress class annotations", "IngressClassTest.anAnnotationWinsOverTheField"),
          entry("Ingress allow-http", "IngressAnnotationsTest.withoutLeaveThereIsNoPlainHttp"),
          entry("Ingress force-ssl-redirect", "IngressAnnotationsTest.plainRequestsAreSentToTls"),
          entry("Ingress retry-on, num-retries", "IngressAnnotationsTest.whatFailsIsTriedAgain"),
          entry(
              "Ingress retry-on, none",
              "IngressAnnotationsTest.nothingIsTriedAgainUnlessSomebodySaysWhen"),
          entry("Ingress num-retries -1", "IngressAnnotationsTest.minusOneRetriesAreNone"),
          entry("Ingress per-try-timeout", "IngressAnnotationsTest.eachTryHasItsTime"),
          entry("Ingress response-timeout", "IngressAnnotationsTest.anAnswerHasItsTime"),
          entry(
              "Ingress request-timeout", "IngressAnnotationsTest.theOldNameOfTheTimeoutStillWorks"),
          entry(
              "Ingress tls-minimum-protocol-version",
              "IngressAnnotationsTest.olderTlsIsTurnedAway"),
          entry(
              "Ingress tls-maximum-protocol-version",
              "IngressAnnotationsTest.newerTlsIsTurnedAway"),
          entry(
              "Ingress websocket-routes",
              "IngressAnnotationsTest.onlyTheNamedPathsBecomeWebsockets"),
          entry(
              "Ingress tls-cert-namespace",
              "IngressAnnotationsTest.aCertificateOfAnotherNamespaceIsUsedIfItIsLent"),
          entry(
              "ExtensionPolicy httpFilters",
              "ExtensionPoliciesTest.aFilterOfTheSharedListenerWorksForItsTargetOnly"),
          entry(
              "ExtensionPolicy httpFilters with TLS",
              "ExtensionPoliciesTest.aFilterWorksBehindTls"),
          entry("ExtensionPolicy targetRef.route", "ExtensionPoliciesTest.aFilterCanBeForOneRoute"),
          entry(
              "ExtensionPolicy perRoute of a virtual host",
              "ExtensionPoliciesTest.aPolicySpeaksToItsOwnFilterOfAVirtualHost"),
          entry(
              "ExtensionPolicy perRoute of a route",
              "ExtensionPoliciesTest.aPolicySpeaksToItsOwnFilterOfARoute"),
          entry(
              "ExtensionPolicy perRoute to a built-in filter",
              "ExtensionPoliciesTest.aPolicySpeaksToTheListenersOwnFilters"));

  static Stream<Map.Entry<String, String>> fields() {
    return FIELDS.stream();
  }

  @ParameterizedTest
  @MethodSource("fields")
  void aTestSeesTheField(Map.Entry<String, String> field) throws ClassNotFoundException {
    String[] where = field.getValue().split("\\.", 2);
    Class<?> test = Class.forName(FieldCoverage2Test.class.getPackageName() + "." + where[0]);
    assertThat(test.getDeclaredMethods())
        .filteredOn(method -> method.getName().equals(where[1]))
        .as(field.toString())
        .isNotEmpty()
        .allMatch(FieldCoverage2Test::isTest);
  }

  private static boolean isTest(Method method) {
    return Arrays.stream(method.getAnnotations())
        .anyMatch(a -> a instanceof Test || a instanceof ParameterizedTest);
  }

  @Test
  void noFieldIsListedTwice() {
    assertThat(FIELDS.stream().map(Map.Entry::getKey)).doesNotHaveDuplicates();
  }
}
