// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.testkit;

import com.google.protobuf.Descriptors.Descriptor;
import com.google.protobuf.Message;
import io.envoyproxy.envoy.config.cluster.v3.Cluster;
import io.envoyproxy.envoy.config.core.v3.TypedExtensionConfig;
import io.envoyproxy.envoy.config.endpoint.v3.ClusterLoadAssignment;
import io.envoyproxy.envoy.config.listener.v3.Listener;
import io.envoyproxy.envoy.config.route.v3.RouteConfiguration;
import io.envoyproxy.envoy.config.route.v3.VirtualHost;
import io.envoyproxy.envoy.extensions.transport_sockets.tls.v3.Secret;

/** The type URLs that tests name most. */
public final class TypeUrls {
  public static final String LISTENER = of(Listener.getDescriptor());
  public static final String ROUTE_CONFIGURATION = of(RouteConfiguration.getDescriptor());
  public static final String VIRTUAL_HOST = of(VirtualHost.getDescriptor());
  public static final String CLUSTER = of(Cluster.getDescriptor());
  public static final String CLUSTER_LOAD_ASSIGNMENT = of(ClusterLoadAssignment.getDescriptor());
  public static final String SECRET = of(Secret.getDescriptor());
  public static final String EXTENSION_CONFIG = of(TypedExtensionConfig.getDescriptor());

  private TypeUrls() {}

  /** The type URL of a message. */
  public static String of(Message message) {
    return of(message.getDescriptorForType());
  }

  private static String of(Descriptor type) {
    return "type.googleapis.com/" + type.getFullName();
  }
}
