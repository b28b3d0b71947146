// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.testkit;

import io.envoyproxy.envoy.service.discovery.v3.ResourceError;
import io.envoyproxy.envoy.service.discovery.v3.ResourceName;
import io.grpc.Status;

/** The errors of xRFC TP3, the same in both protocols. */
final class ResourceErrors {
  private ResourceErrors() {}

  static ResourceError of(String name, Status.Code code, String message) {
    return ResourceError.newBuilder()
        .setResourceName(ResourceName.newBuilder().setName(name))
        .setErrorDetail(
            com.google.rpc.Status.newBuilder().setCode(code.value()).setMessage(message))
        .build();
  }
}
