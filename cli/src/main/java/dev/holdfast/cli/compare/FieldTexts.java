// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.cli.compare;

import com.google.protobuf.Any;
import com.google.protobuf.ByteString;
import com.google.protobuf.Descriptors.FieldDescriptor;
import com.google.protobuf.Duration;
import com.google.protobuf.InvalidProtocolBufferException;
import com.google.protobuf.MapEntry;
import com.google.protobuf.Message;
import dev.holdfast.server.proto.ProtoTypes;
import io.envoyproxy.envoy.config.core.v3.DataSource;
import io.envoyproxy.envoy.extensions.transport_sockets.tls.v3.SdsSecretConfig;
import io.envoyproxy.envoy.extensions.transport_sockets.tls.v3.Secret;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.Base64;
import java.util.HexFormat;
import java.util.List;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.UnaryOperator;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The fields of messages as texts, by path, without what only names things: the names of routes and
 * clusters, metadata, and where a secret is fetched from. A certificate is its fingerprint, a
 * private key is left out, and a secret is what it holds. The order of lists does not count.
 */
final class FieldTexts {
  /** Names and addresses that each control plane chooses as it likes. */
  private static final Set<String> CONVENTIONS =
      Set.of(
          "alt_stat_name",
          "config_source",
          "initial_fetch_timeout",
          "metadata",
          "private_key",
          "resource_api_version",
          "sds_config",
          "stat_prefix",
          "total_weight",
          "transport_api_version");

  private static final Set<String> CLUSTER_FIELDS =
      Set.of(
          "envoy.config.route.v3.RouteAction.cluster",
          "envoy.config.route.v3.RouteAction.RequestMirrorPolicy.cluster",
          "envoy.config.route.v3.WeightedCluster.ClusterWeight.name",
          "envoy.extensions.filters.network.tcp_proxy.v3.TcpProxy.cluster",
          "envoy.extensions.filters.network.tcp_proxy.v3.TcpProxy.WeightedCluster.ClusterWeight.name",
          "envoy.config.core.v3.GrpcService.EnvoyGrpc.cluster_name");

  private static final Pattern CERTIFICATE =
      Pattern.compile("-----BEGIN CERTIFICATE-----([^-]*)-----END CERTIFICATE-----");
  private static final int SHORT = 16;

  private final ServedResources resources;
  private final UnaryOperator<String> clusterMeanings;

  /**
   * @param clusterMeanings says what the cluster of a name is, whatever its name
   */
  FieldTexts(ServedResources resources, UnaryOperator<String> clusterMeanings) {
    this.resources = resources;
    this.clusterMeanings = clusterMeanings;
  }

  /** Adds all fields of a message under a path. */
  void add(String path, Message message, SortedMap<String, String> to) {
    if (message instanceof Duration duration) {
      to.put(path, text(duration));
    } else if (message instanceof Any any) {
      add(path, any, to);
    } else if (message instanceof DataSource source) {
      to.put(path, text(source));
    } else if (message instanceof SdsSecretConfig reference) {
      Secret secret = resources.secrets.get(reference.getName());
      if (secret == null) {
        to.put(path, "a secret that is not served");
      } else {
        add(path, secret.toBuilder().clearName().build(), to);
      }
    } else if (message.getDescriptorForType().getFullName().startsWith("google.protobuf.")) {
      to.put(path, text(message));
    } else {
      int before = to.size();
      message.getAllFields().forEach((field, value) -> add(path, field, value, to));
      if (to.size() == before) {
        to.put(path, "set");
      }
    }
  }

  private void add(String path, FieldDescriptor field, Object value, SortedMap<String, String> to) {
    if (CONVENTIONS.contains(field.getName()) || isOwnName(field)) {
      return;
    }
    String inner = path.isEmpty() ? field.getName() : path + "." + field.getName();
    if (!field.isRepeated()) {
      addValue(inner, field, value, to);
      return;
    }
    List<?> elements = (List<?>) value;
    if (field.isMapField()) {
      for (Object element : elements) {
        MapEntry<?, ?> entry = (MapEntry<?, ?>) element;
        // Filters are told apart by what they are: their names are chosen by the control plane.
        String key =
            entry.getValue() instanceof Any any ? typeName(any) : String.valueOf(entry.getKey());
        if (entry.getValue() instanceof Message message) {
          add(inner + "[" + key + "]", message, to);
        } else {
          to.put(inner + "[" + key + "]", String.valueOf(entry.getValue()));
        }
      }
      return;
    }
    List<SortedMap<String, String>> texts = new ArrayList<>();
    for (Object element : elements) {
      SortedMap<String, String> text = new TreeMap<>();
      addValue("", field, element, text);
      texts.add(text);
    }
    texts.sort((a, b) -> a.toString().compareTo(b.toString()));
    for (int i = 0; i < texts.size(); i++) {
      String at = inner + (texts.size() == 1 ? "" : "[" + i + "]");
      texts.get(i).forEach((name, text) -> to.put(name.isEmpty() ? at : at + "." + name, text));
    }
  }

  private void addValue(
      String path, FieldDescriptor field, Object value, SortedMap<String, String> to) {
    if (value instanceof Message message) {
      add(path, message, to);
    } else if (CLUSTER_FIELDS.contains(field.getFullName())) {
      to.put(path, clusterMeanings.apply((String) value));
    } else if (value instanceof ByteString bytes) {
      to.put(path, digest(bytes.toByteArray()));
    } else {
      to.put(path, String.valueOf(value));
    }
  }

  /** A name that nobody but the control plane uses. */
  private static boolean isOwnName(FieldDescriptor field) {
    return field.getName().equals("name")
        && Set.of(
                "envoy.config.route.v3.Route",
                "envoy.config.route.v3.VirtualHost",
                "envoy.config.core.v3.TransportSocket",
                "envoy.config.core.v3.TypedExtensionConfig",
                "envoy.config.cluster.v3.Cluster")
            .contains(field.getContainingType().getFullName());
  }

  private void add(String path, Any any, SortedMap<String, String> to) {
    String type = typeName(any);
    Message known = ProtoTypes.find(type).orElse(null);
    if (known == null) {
      to.put(path, type + " " + digest(any.getValue().toByteArray()));
      return;
    }
    try {
      add(path, known.getParserForType().parseFrom(any.getValue()), to);
    } catch (InvalidProtocolBufferException e) {
      to.put(path, type + " that cannot be decoded");
    }
  }

  static String typeName(Any any) {
    return any.getTypeUrl().substring(any.getTypeUrl().lastIndexOf('/') + 1);
  }

  // Texts.

  private static String text(Duration duration) {
    String text =
        java.time.Duration.ofSeconds(duration.getSeconds(), duration.getNanos())
            .toString()
            .substring(2);
    return text.toLowerCase(java.util.Locale.ROOT);
  }

  /** A wrapper, or a struct. */
  private static String text(Message message) {
    FieldDescriptor value = message.getDescriptorForType().findFieldByName("value");
    return value != null && !value.isRepeated()
        ? String.valueOf(message.getField(value))
        : digest(message.toByteArray());
  }

  private static String text(DataSource source) {
    byte[] content =
        switch (source.getSpecifierCase()) {
          case INLINE_BYTES -> source.getInlineBytes().toByteArray();
          case INLINE_STRING -> source.getInlineStringBytes().toByteArray();
          default -> source.toByteArray();
        };
    String text = new String(content, StandardCharsets.UTF_8);
    String fingerprints = fingerprints(text);
    return fingerprints.isEmpty() ? digest(content) : fingerprints;
  }

  /** Of the certificates in a text; empty if there is none. */
  private static String fingerprints(String pem) {
    List<String> found = new ArrayList<>();
    Matcher certificate = CERTIFICATE.matcher(pem);
    while (certificate.find()) {
      try {
        found.add(digest(Base64.getMimeDecoder().decode(certificate.group(1))));
      } catch (IllegalArgumentException e) {
        return "";
      }
    }
    return String.join(" ", found);
  }

  static String digest(byte[] content) {
    try {
      return "sha256:"
          + HexFormat.of()
              .formatHex(MessageDigest.getInstance("SHA-256").digest(content))
              .substring(0, SHORT);
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every JDK has SHA-256", e);
    }
  }

  /** Paths without the ways in which the same certificate can be given: inline, or as a secret. */
  private static SortedMap<String, String> simplified(SortedMap<String, String> fields) {
    SortedMap<String, String> simple = new TreeMap<>();
    fields.forEach(
        (path, text) ->
            simple.put(
                path.replace("common_tls_context.", "")
                    .replaceFirst(
                        "tls_certificate_sds_secret_configs(\\[[0-9]+])?\\.tls_certificate",
                        "certificates$1")
                    .replace("tls_certificates", "certificates")
                    .replaceFirst(
                        "(combined_validation_context\\.)?validation_context_sds_secret_config"
                            + "\\.validation_context",
                        "validation_context")
                    .replace(
                        "combined_validation_context.default_validation_context",
                        "validation_context"),
                text));
    return simple;
  }

  /** What only one of two has, or has otherwise, by path. */
  static SortedMap<String, FieldDifference> differences(
      SortedMap<String, String> theirFields, SortedMap<String, String> ourFields) {
    SortedMap<String, String> theirs = simplified(theirFields);
    SortedMap<String, String> ours = simplified(ourFields);
    SortedMap<String, FieldDifference> differences = new TreeMap<>();
    theirs.forEach(
        (path, text) -> {
          String other = ours.getOrDefault(path, "");
          if (!text.equals(other)) {
            differences.put(path, new FieldDifference(text, other));
          }
        });
    ours.forEach(
        (path, text) -> {
          if (!theirs.containsKey(path)) {
            differences.put(path, new FieldDifference("", text));
          }
        });
    return differences;
  }

  /** A field that differs; empty where it is not set. */
  record FieldDifference(String theirs, String ours) {}
}
