// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.controlplane.translate.host;

import dev.holdfast.config.ObjectKey;
import dev.holdfast.controlplane.objects.service.Service;
import dev.holdfast.controlplane.snapshot.ResourceId;
import dev.holdfast.controlplane.snapshot.ResourceType;

/**
 * The names of resources. No name depends on the content of the resource: a proxy that rejects the
 * next version keeps the previous one, and resources that refer to it still find it.
 */
public final class ResourceNames {
  public static final ResourceId PLAIN_LISTENER = listener("ingress_http");
  public static final ResourceId TLS_LISTENER = listener("ingress_https");
  public static final ResourceId PLAIN_ROUTES = routes("ingress_http");

  /**
   * The same hosts for proxies that get each of them as a resource of its own. Another name: under
   * one name, a proxy that goes from one to the other would have no hosts for a moment.
   */
  public static final ResourceId PLAIN_HOSTS = routes("ingress_http_vhds");

  /** The routes for clients that name no host in TLS, or an unknown one. */
  public static final ResourceId FALLBACK_ROUTES = routes("ingress_fallbackcert");

  private static final String API = "api/";

  private ResourceNames() {}

  private static ResourceId listener(String name) {
    return new ResourceId(ResourceType.LISTENER, name);
  }

  private static ResourceId routes(String name) {
    return new ResourceId(ResourceType.ROUTES, name);
  }

  /**
   * A host without TLS as a resource of its own. Envoy finds the table that it belongs to by the
   * part of the name before the last slash.
   */
  public static ResourceId plainHost(String host) {
    return new ResourceId(ResourceType.VIRTUAL_HOST, PLAIN_HOSTS.name() + "/" + host);
  }

  /** The route table of a host with TLS. */
  public static ResourceId tlsRoutes(String host) {
    return routes("https/" + host);
  }

  /** The listener of a host for proxyless gRPC clients. */
  public static ResourceId apiListener(String host) {
    return listener(host);
  }

  /** The route table of a host for proxyless gRPC clients. */
  public static ResourceId apiRoutes(String host) {
    return routes(API + host);
  }

  /** Whether it is the route table of a host for proxyless gRPC clients. */
  public static boolean isApiRoutes(ResourceId id) {
    return id.type() == ResourceType.ROUTES && id.name().startsWith(API);
  }

  public static ResourceId cluster(String name) {
    return new ResourceId(ResourceType.CLUSTER, name);
  }

  /** The cluster for a port of a service with default settings. */
  static String plainCluster(ObjectKey service, int port) {
    return service.namespace() + "/" + service.name() + "/" + port;
  }

  /**
   * A cluster that never exists, for a route that gRPC clients cannot use. Most of them show only
   * this name in the error of a call, so it says which route, and why in one word. Brackets keep it
   * apart from other clusters.
   */
  static String unavailableCluster(ObjectKey proxy, String field, String reason) {
    return "unavailable/"
        + proxy.namespace()
        + "/"
        + proxy.name()
        + "/"
        + field.substring(field.lastIndexOf('.') + 1)
        + "/"
        + reason;
  }

  /** Named by the port's name where it has one, because the name outlives the number. */
  public static ResourceId endpoints(ObjectKey service, Service.Port port) {
    String last = port.name().isEmpty() ? Integer.toString(port.port()) : port.name();
    return new ResourceId(
        ResourceType.ENDPOINTS, service.namespace() + "/" + service.name() + "/" + last);
  }

  /** A server certificate with its key. */
  public static ResourceId serverCertificate(ObjectKey secret) {
    return new ResourceId(ResourceType.SECRET, secret.namespace() + "/" + secret.name());
  }

  /** The authorities to trust. */
  public static ResourceId authority(ObjectKey secret) {
    return new ResourceId(ResourceType.SECRET, secret.namespace() + "/" + secret.name() + "/ca");
  }

  /** The authorities to trust, without what they have revoked. */
  public static ResourceId authority(ObjectKey secret, ObjectKey revocations) {
    return new ResourceId(
        ResourceType.SECRET,
        authority(secret).name() + "/" + revocations.namespace() + "/" + revocations.name());
  }
}
