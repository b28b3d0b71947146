// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.testkit.envoy;

import com.google.protobuf.Any;
import com.google.protobuf.Descriptors.FieldDescriptor;
import com.google.protobuf.Duration;
import com.google.protobuf.InvalidProtocolBufferException;
import com.google.protobuf.Message;
import com.google.protobuf.TextFormat;
import dev.holdfast.testkit.TypeUrls;
import dev.holdfast.testkit.envoy.Validator.Stage;
import io.envoyproxy.envoy.config.cluster.v3.Cluster;
import io.envoyproxy.envoy.config.core.v3.TypedExtensionConfig;
import io.envoyproxy.envoy.config.endpoint.v3.ClusterLoadAssignment;
import io.envoyproxy.envoy.config.listener.v3.Listener;
import io.envoyproxy.envoy.config.route.v3.RouteConfiguration;
import io.envoyproxy.envoy.config.route.v3.VirtualHost;
import io.envoyproxy.envoy.extensions.transport_sockets.tls.v3.Secret;
import io.envoyproxy.envoy.service.discovery.v3.DeltaDiscoveryResponse;
import io.envoyproxy.envoy.service.discovery.v3.DiscoveryResponse;
import io.envoyproxy.envoy.service.discovery.v3.Resource;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Reads the resources of a response. Whatever goes wrong here costs the whole response: nothing of
 * it has been used yet.
 */
final class Decoder {
  private static final Map<String, Message> TYPES =
      Map.of(
          TypeUrls.CLUSTER, Cluster.getDefaultInstance(),
          TypeUrls.CLUSTER_LOAD_ASSIGNMENT, ClusterLoadAssignment.getDefaultInstance(),
          TypeUrls.LISTENER, Listener.getDefaultInstance(),
          TypeUrls.ROUTE_CONFIGURATION, RouteConfiguration.getDefaultInstance(),
          TypeUrls.VIRTUAL_HOST, VirtualHost.getDefaultInstance(),
          TypeUrls.SECRET, Secret.getDefaultInstance(),
          TypeUrls.EXTENSION_CONFIG, TypedExtensionConfig.getDefaultInstance());
  private static final String WRAPPER = "envoy.service.discovery.v3.Resource";

  private final List<Validator> validators;
  private int debugs;

  Decoder(List<Validator> validators) {
    this.validators = validators;
  }

  DecodedResource sotw(Any entry, DiscoveryResponse response) {
    Any resource = entry;
    if (typeName(entry).equals(WRAPPER)) {
      try {
        resource = Resource.parseFrom(entry.getValue()).getResource();
      } catch (InvalidProtocolBufferException e) {
        throw new RejectedException("Unable to unpack as " + WRAPPER + ": " + debug(entry));
      }
    } else if (!entry.getTypeUrl().equals(response.getTypeUrl())) {
      throw new RejectedException(
          "%s does not match the message-wide type URL %s in DiscoveryResponse %s"
              .formatted(entry.getTypeUrl(), response.getTypeUrl(), debug(response)));
    }
    Message message = decode(resource, response.getTypeUrl());
    return new DecodedResource(name(message), response.getVersionInfo(), message);
  }

  DecodedResource delta(Resource entry, DeltaDiscoveryResponse response) {
    if (!entry.getResource().getTypeUrl().equals(response.getTypeUrl())) {
      throw new RejectedException(
          ("type URL %s embedded in an individual Any does not match the message-wide type URL %s"
                  + " in DeltaDiscoveryResponse %s")
              .formatted(entry.getResource().getTypeUrl(), response.getTypeUrl(), debug(response)));
    }
    return new DecodedResource(
        entry.getName(), entry.getVersion(), decode(entry.getResource(), response.getTypeUrl()));
  }

  private Message decode(Any any, String typeUrl) {
    Message type = TYPES.get(typeUrl);
    if (type == null) {
      throw new RejectedException("Unable to unpack as " + typeUrl);
    }
    Message message;
    try {
      message = type.getParserForType().parseFrom(any.getValue());
    } catch (InvalidProtocolBufferException e) {
      throw new RejectedException(
          "Unable to unpack as %s: %s"
              .formatted(type.getDescriptorForType().getFullName(), debug(any)));
    }
    String duration = badDuration(message);
    if (duration != null) {
      throw new RejectedException("Invalid duration: Expected positive duration: " + duration);
    }
    String broken = Constraints.check(message);
    if (broken != null) {
      throw new RejectedException(
          debug(message) + ": Proto constraint validation failed (" + broken + ")");
    }
    check(validators, Stage.DECODE, message);
    return message;
  }

  /** Throws what the first validator of a stage has against a resource. */
  static void check(List<Validator> validators, Stage stage, Message message) {
    for (Validator validator : validators) {
      if (validator.stage() == stage) {
        String problem = validator.check(message);
        if (problem != null) {
          throw new RejectedException(problem);
        }
      }
    }
  }

  private @Nullable String badDuration(Message message) {
    if (message instanceof Duration duration) {
      return duration.getSeconds() < 0 || duration.getNanos() < 0 ? debug(duration) : null;
    }
    for (Map.Entry<FieldDescriptor, Object> field : message.getAllFields().entrySet()) {
      List<?> values = field.getValue() instanceof List<?> list ? list : List.of(field.getValue());
      for (Object value : values) {
        String bad = value instanceof Message nested ? badDuration(nested) : null;
        if (bad != null) {
          return bad;
        }
      }
    }
    return null;
  }

  /** The name of a resource, whichever way it is packed; empty if it cannot be read. */
  static String nameOf(Any entry) {
    try {
      if (typeName(entry).equals(WRAPPER)) {
        return Resource.parseFrom(entry.getValue()).getName();
      }
      Message type = TYPES.get(entry.getTypeUrl());
      return type == null ? "" : name(type.getParserForType().parseFrom(entry.getValue()));
    } catch (InvalidProtocolBufferException e) {
      return "";
    }
  }

  /** The name of a resource, as its own field has it. */
  static String name(Message message) {
    var type = message.getDescriptorForType();
    var field = type.findFieldByName("name");
    return (String) message.getField(field == null ? type.findFieldByName("cluster_name") : field);
  }

  /** Begins with something that differs from time to time, lest anybody relies on the text. */
  private String debug(Message message) {
    String[] markers = {"debugstr", "debugonly", "debugproto"};
    int turn = debugs++;
    return "goo.gle/%s%s\n%s"
        .formatted(
            markers[turn % markers.length],
            " ".repeat(1 + turn % 4),
            TextFormat.printer().printToString(message));
  }

  private static String typeName(Any any) {
    return any.getTypeUrl().substring(any.getTypeUrl().lastIndexOf('/') + 1);
  }
}
