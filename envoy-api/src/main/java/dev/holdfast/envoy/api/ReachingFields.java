// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.envoy.api;

import com.google.protobuf.Descriptors.Descriptor;
import com.google.protobuf.Descriptors.FieldDescriptor;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * What the fields and messages of Envoy's API reach, as far as filters of HTTP can contain them. A
 * test goes through the whole API and fails if a field looks like one of these and is not listed,
 * here or there.
 */
final class ReachingFields {
  private static final String CORE = "envoy.config.core.v3.";
  private static final String FILTERS = "envoy.extensions.filters.http.";

  /** By full name. */
  static final Map<String, Reach.Kind> FIELDS =
      Map.ofEntries(
          file(CORE + "DataSource.filename"),
          file(CORE + "WatchedDirectory.path"),
          file(CORE + "PathConfigSource.path"),
          file(CORE + "ConfigSource.path"),
          file(CORE + "Pipe.path"),
          file(CORE + "SocketAddress.network_namespace_filepath"),
          file(CORE + "GrpcService.GoogleGrpc.CallCredentials.StsService.subject_token_path"),
          file(CORE + "GrpcService.GoogleGrpc.CallCredentials.StsService.actor_token_path"),
          file(CORE + "HealthCheck.event_log_path"),
          file("envoy.config.tap.v3.FilePerTapSink.path_prefix"),
          file("envoy.config.trace.v3.LightstepConfig.access_token_file"),
          file("envoy.extensions.transport_sockets.tls.v3.TlsKeyLog.path"),
          file("envoy.extensions.geoip_providers.maxmind.v3.MaxMindConfig.city_db_path"),
          file("envoy.extensions.geoip_providers.maxmind.v3.MaxMindConfig.asn_db_path"),
          file("envoy.extensions.geoip_providers.maxmind.v3.MaxMindConfig.anon_db_path"),
          file("envoy.extensions.geoip_providers.maxmind.v3.MaxMindConfig.isp_db_path"),
          file("envoy.extensions.access_loggers.file.v3.FileAccessLog.path"),
          file(
              "envoy.extensions.health_check.event_sinks.file.v3.HealthCheckEventFileSink.event_log_path"),
          file(
              FILTERS
                  + "grpc_json_reverse_transcoder.v3.GrpcJsonReverseTranscoder.descriptor_path"),
          file(FILTERS + "grpc_json_transcoder.v3.GrpcJsonTranscoder.proto_descriptor"),
          file(
              "envoy.extensions.http.cache.file_system_http_cache.v3.FileSystemHttpCacheConfig.cache_path"),
          file("envoy.extensions.key_value.file_based.v3.FileBasedKeyValueStoreConfig.filename"),
          Map.entry("envoy.config.trace.v3.DynamicOtConfig.library", Reach.Kind.NATIVE),
          environment(CORE + "DataSource.environment_variable"),
          environment("envoy.type.tracing.v3.CustomTag.environment"),
          environment("envoy.extensions.wasm.v3.EnvironmentVariables.host_env_keys"),
          remote(CORE + "HttpUri.uri"),
          remote(CORE + "GrpcService.google_grpc"),
          remote(CORE + "ConfigSource.api_config_source"),
          header(CORE + "HeaderValue.key"),
          header("envoy.config.common.mutation_rules.v3.HeaderMutation.remove"),
          header(FILTERS + "jwt_authn.v3.JwtProvider.forward_payload_header"),
          header(FILTERS + "jwt_authn.v3.JwtClaimToHeader.header_name"),
          header(FILTERS + "basic_auth.v3.BasicAuth.forward_username_header"),
          header(FILTERS + "ip_tagging.v3.IPTagging.IpTagHeader.header"),
          header(FILTERS + "gcp_authn.v3.TokenHeader.name"),
          header("envoy.extensions.http.injected_credentials.generic.v3.Generic.header"));

  /** Fields with the names of headers, in whichever message. */
  private static final Pattern REMOVED_HEADERS = Pattern.compile("[a-z_]*headers_to_remove");

  private static final String GEO_HEADERS =
      "envoy.extensions.geoip_providers.common.v3.CommonGeoipProviderConfig.GeolocationHeadersToAdd";

  /** Parts of the packages of messages that run code. */
  private static final Map<String, Reach.Kind> CODE =
      Map.of(
          ".lua.", Reach.Kind.LUA,
          ".wasm.", Reach.Kind.WASM,
          ".golang.", Reach.Kind.NATIVE,
          ".dynamic_modules.", Reach.Kind.NATIVE);

  /** Packages whose messages use the credentials of the machine. */
  private static final Set<String> MACHINE_CREDENTIALS =
      Set.of(
          FILTERS + "aws_request_signing.v3",
          FILTERS + "aws_lambda.v3",
          FILTERS + "gcp_authn.v3",
          "envoy.extensions.common.aws.v3");

  /** Their messages let requests say where the proxy connects to. */
  private static final String FORWARD_PROXY = FILTERS + "dynamic_forward_proxy.v3";

  private ReachingFields() {}

  private static Map.Entry<String, Reach.Kind> file(String field) {
    return Map.entry(field, Reach.Kind.FILE);
  }

  private static Map.Entry<String, Reach.Kind> environment(String field) {
    return Map.entry(field, Reach.Kind.ENVIRONMENT);
  }

  private static Map.Entry<String, Reach.Kind> remote(String field) {
    return Map.entry(field, Reach.Kind.REMOTE);
  }

  private static Map.Entry<String, Reach.Kind> header(String field) {
    return Map.entry(field, Reach.Kind.HEADER);
  }

  /** What a field reaches; null if nothing. */
  static Reach.@Nullable Kind of(FieldDescriptor field) {
    Reach.Kind kind = FIELDS.get(field.getFullName());
    if (kind != null) {
      return kind;
    }
    boolean isHeader =
        field.getJavaType() == FieldDescriptor.JavaType.STRING
            && (REMOVED_HEADERS.matcher(field.getName()).matches()
                || field.getContainingType().getFullName().equals(GEO_HEADERS));
    return isHeader ? Reach.Kind.HEADER : null;
  }

  /** What a message reaches, whatever is in it; null if nothing. */
  static Reach.@Nullable Kind of(Descriptor message) {
    String name = message.getFullName();
    for (Map.Entry<String, Reach.Kind> code : CODE.entrySet()) {
      if (name.contains(code.getKey())) {
        return code.getValue();
      }
    }
    String in = message.getFile().getPackage();
    if (MACHINE_CREDENTIALS.contains(in)) {
      return Reach.Kind.ENVIRONMENT;
    }
    return in.equals(FORWARD_PROXY) ? Reach.Kind.REMOTE : null;
  }
}
