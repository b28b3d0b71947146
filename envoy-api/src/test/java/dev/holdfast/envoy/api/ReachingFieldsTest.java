// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.envoy.api;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.Descriptors.Descriptor;
import com.google.protobuf.Descriptors.FieldDescriptor;
import java.util.List;
import java.util.NavigableSet;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/**
 * A field of Envoy's API that looks as if it named a file, a header or a place is known to, or is
 * known not to: a new one of a newer API has to be decided about before it is in a build.
 */
class ReachingFieldsTest {
  /** Nothing that an HTTP filter contains. */
  private static final Pattern ELSEWHERE =
      Pattern.compile(
          "(envoy\\.(admin|service|data|watchdog)|envoy\\.config\\.(bootstrap|metrics|overload|ratelimit)"
              + "|envoy\\.extensions\\.(stat_sinks|watchdog|resource_monitors|bootstrap|upstreams"
              + "|filters\\.(network|udp|listener))"
              + "|google|validate|opencensus|opentelemetry|xds\\.(core|service)|udpa\\.(data|service)|prometheus|io\\.prometheus|cel)\\..*");

  private static final Pattern FILE =
      Pattern.compile("path|.*_path|.*file(name|path)?|.*director(y|ies)|library|proto_descriptor");
  private static final Pattern ENVIRONMENT = Pattern.compile(".*env(ironment)?(_.*)?");
  private static final Pattern PLACE = Pattern.compile("(?!type_url)(.*_)?ur[il]");
  private static final Pattern HEADER = Pattern.compile("(.*_)?headers?(_name|_to_.*)?");

  /** Of the requests, of a match, or of something else that is no file. */
  private static final Set<String> NO_FILE =
      Set.of(
          "envoy.config.core.v3.HealthCheck.HttpHealthCheck.path",
          "envoy.config.route.v3.RouteMatch.path",
          "envoy.config.route.v3.RouteAction.HashPolicy.Cookie.path",
          "envoy.type.http.v3.Cookie.path",
          "envoy.extensions.common.aws.v3.CredentialsFileCredentialProvider.profile",
          "envoy.extensions.filters.http.aws_lambda.v3.Config.credentials_profile");

  /** Envoy sends these to clients, or compares with them. */
  private static final Set<String> NO_PLACE =
      Set.of(
          "envoy.extensions.filters.http.gcp_authn.v3.Audience.url",
          "envoy.extensions.filters.http.oauth2.v3.OAuth2Config.redirect_uri",
          "envoy.extensions.http.custom_response.redirect_policy.v3.RedirectPolicy.uri",
          "envoy.config.core.v3.GrpcService.GoogleGrpc.target_uri",
          "envoy.config.core.v3.GrpcService.GoogleGrpc.CallCredentials.StsService"
              + ".token_exchange_service_uri");

  /** Headers that are read, compared or passed on. */
  private static final Set<String> READ_HEADERS =
      Set.of(
          "envoy.config.cluster.v3.Cluster.OriginalDstLbConfig.http_header_name",
          "envoy.config.core.v3.UpstreamHttpProtocolOptions.override_auto_sni_header",
          "envoy.config.route.v3.CorsPolicy.allow_headers",
          "envoy.config.route.v3.CorsPolicy.expose_headers",
          "envoy.config.route.v3.InternalRedirectPolicy.response_headers_to_copy",
          "envoy.config.route.v3.RateLimit.Action.RequestHeaders.header_name",
          "envoy.config.route.v3.RouteAction.HashPolicy.Header.header_name",
          "envoy.config.route.v3.RouteAction.RequestMirrorPolicy.cluster_header",
          "envoy.config.route.v3.RouteAction.cluster_header",
          "envoy.config.route.v3.RouteAction.host_rewrite_header",
          "envoy.config.route.v3.RouteConfiguration.internal_only_headers",
          "envoy.config.route.v3.WeightedCluster.ClusterWeight.cluster_header",
          "envoy.config.route.v3.WeightedCluster.header_name",
          "envoy.extensions.access_loggers.grpc.v3.HttpGrpcAccessLogConfig"
              + ".additional_request_headers_to_log",
          "envoy.extensions.access_loggers.grpc.v3.HttpGrpcAccessLogConfig"
              + ".additional_response_headers_to_log",
          "envoy.extensions.filters.http.api_key_auth.v3.KeySource.header",
          "envoy.extensions.filters.http.basic_auth.v3.BasicAuth.authentication_header",
          "envoy.extensions.filters.http.cors.v3.CorsPolicy.allow_headers",
          "envoy.extensions.filters.http.cors.v3.CorsPolicy.expose_headers",
          "envoy.extensions.filters.http.dynamic_forward_proxy.v3.PerRouteConfig.host_rewrite_header",
          "envoy.extensions.filters.http.grpc_http1_reverse_bridge.v3.FilterConfig.response_size_header",
          "envoy.extensions.filters.http.grpc_json_reverse_transcoder.v3.GrpcJsonReverseTranscoder"
              + ".api_version_header",
          "envoy.extensions.filters.http.header_to_metadata.v3.Config.Rule.header",
          "envoy.extensions.filters.http.kill_request.v3.KillRequest.kill_request_header",
          "envoy.extensions.filters.http.router.v3.Router.strict_check_headers",
          "envoy.extensions.http.original_ip_detection.custom_header.v3.CustomHeaderConfig.header_name",
          "envoy.type.matcher.v3.HttpRequestHeaderMatchInput.header_name",
          "envoy.type.matcher.v3.HttpRequestTrailerMatchInput.header_name",
          "envoy.type.matcher.v3.HttpResponseHeaderMatchInput.header_name",
          "envoy.type.matcher.v3.HttpResponseTrailerMatchInput.header_name");

  private static Stream<FieldDescriptor> texts() {
    EnvoyTypes types = EnvoyTypes.get();
    return types.names().stream()
        .filter(name -> !ELSEWHERE.matcher(name).matches())
        .map(name -> Objects.requireNonNull(types.find(name)))
        .map(Descriptor::getFields)
        .flatMap(List::stream)
        .filter(field -> field.getJavaType() == FieldDescriptor.JavaType.STRING);
  }

  private static NavigableSet<String> undecided(Pattern looks, Set<String> decided) {
    NavigableSet<String> undecided = new TreeSet<>();
    texts()
        .filter(field -> looks.matcher(field.getName()).matches())
        .filter(field -> ReachingFields.of(field) == null)
        .map(FieldDescriptor::getFullName)
        .filter(name -> !decided.contains(name))
        .forEach(undecided::add);
    return undecided;
  }

  @Test
  void everyFieldThatMayNameAFileIsDecidedAbout() {
    assertThat(undecided(FILE, NO_FILE)).isEmpty();
  }

  @Test
  void everyFieldThatMayNameAVariableIsDecidedAbout() {
    assertThat(undecided(ENVIRONMENT, Set.of())).isEmpty();
  }

  @Test
  void everyFieldThatMayNameAPlaceIsDecidedAbout() {
    assertThat(undecided(PLACE, NO_PLACE)).isEmpty();
  }

  @Test
  void everyFieldThatMayNameAHeaderIsDecidedAbout() {
    assertThat(undecided(HEADER, READ_HEADERS)).isEmpty();
  }

  @Test
  void whatIsListedExists() {
    EnvoyTypes types = EnvoyTypes.get();
    for (String field : ReachingFields.FIELDS.keySet()) {
      int dot = field.lastIndexOf('.');
      Descriptor type = types.find(field.substring(0, dot));
      assertThat(type).as(field).isNotNull();
      assertThat(Objects.requireNonNull(type).findFieldByName(field.substring(dot + 1)))
          .as(field)
          .isNotNull();
    }
  }
}
