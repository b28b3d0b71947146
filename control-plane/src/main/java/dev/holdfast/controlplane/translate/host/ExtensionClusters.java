// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.controlplane.translate.host;

import dev.holdfast.config.ObjectKey;
import dev.holdfast.controlplane.objects.extension.ExtensionService;
import dev.holdfast.controlplane.objects.httpproxy.RouteService.Protocol;
import dev.holdfast.controlplane.objects.service.Service;
import dev.holdfast.controlplane.translate.check.References;
import dev.holdfast.controlplane.translate.index.FactReader;
import org.jspecify.annotations.Nullable;

/** The clusters of ExtensionServices: {@code extension/NAMESPACE/NAME}. */
public final class ExtensionClusters {
  private ExtensionClusters() {}

  public static String name(ObjectKey extension) {
    return "extension/" + extension.namespace() + "/" + extension.name();
  }

  /** The host that the service is asked as: its certificate's name, or one without slashes. */
  public static String authority(ExtensionService extension) {
    return extension.validation() == null
        ? name(extension.key()).replace('/', '.')
        : extension.validation().subjectNames().get(0);
  }

  /** The cluster; null if its service does not exist. */
  static @Nullable PlannedCluster plan(ExtensionService extension, FactReader reader) {
    ObjectKey service = References.service(extension.key().namespace(), extension.target().name());
    Service.Port port = reader.ports(service).port(extension.target().port());
    if (port == null) {
      return null;
    }
    Protocol protocol =
        switch (extension.protocol()) {
          case H2 -> Protocol.H2;
          case H2C -> Protocol.H2C;
          case HTTP_1 -> null;
        };
    return new PlannedCluster(
        name(extension.key()),
        service,
        port,
        new ClusterPolicy(
            extension.loadBalancing(),
            null,
            protocol,
            extension.validation(),
            extension.timeouts().idleConnection(),
            extension.validation() == null ? "" : extension.validation().subjectNames().get(0)),
        protocol,
        "",
        extension.key());
  }
}
