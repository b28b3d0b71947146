// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.controlplane.translate.host;

import dev.holdfast.config.ObjectKey;
import dev.holdfast.controlplane.objects.service.Service;
import dev.holdfast.controlplane.snapshot.ResourceId;
import dev.holdfast.controlplane.snapshot.ResourceType;

/**
 * What resources are called. No name depends on what a resource holds: a proxy that refuses the
 * next version of it keeps the one it has, and whoever refers to it still finds it.
 */
public final class ResourceNames {
  public static final ResourceId PLAIN_LISTENER = listener("ingress_http");
  public static final ResourceId TLS_LISTENER = listener("ingress_https");
  public static final ResourceId PLAIN_ROUTES = routes("ingress_http");

  private ResourceNames() {}

  private static ResourceId listener(String name) {
    return new ResourceId(ResourceType.LISTENER, name);
  }

  private static ResourceId routes(String name) {
    return new ResourceId(ResourceType.ROUTES, name);
  }

  /** The routes of a host that has TLS. */
  public static ResourceId tlsRoutes(String host) {
    return routes("https/" + host);
  }

  /** The listener of clients that route themselves. */
  public static ResourceId apiListener(String host) {
    return listener(host);
  }

  /** The routes of clients that route themselves. */
  public static ResourceId apiRoutes(String host) {
    return routes("api/" + host);
  }

  public static ResourceId cluster(String name) {
    return new ResourceId(ResourceType.CLUSTER, name);
  }

  /** The cluster of a port of a service of which nobody wants anything special. */
  static String plainCluster(ObjectKey service, int port) {
    return service.namespace() + "/" + service.name() + "/" + port;
  }

  /** Endpoints go by the port's name, which outlives its number. */
  public static ResourceId endpoints(ObjectKey service, Service.Port port) {
    String last = port.name().isEmpty() ? Integer.toString(port.port()) : port.name();
    return new ResourceId(
        ResourceType.ENDPOINTS, service.namespace() + "/" + service.name() + "/" + last);
  }

  /** What a server shows. */
  public static ResourceId serverCertificate(ObjectKey secret) {
    return new ResourceId(ResourceType.SECRET, secret.namespace() + "/" + secret.name());
  }

  /** Whom to trust. */
  public static ResourceId authority(ObjectKey secret) {
    return new ResourceId(ResourceType.SECRET, secret.namespace() + "/" + secret.name() + "/ca");
  }
}
