// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.xds.client.engine;

import com.google.rpc.Status;
import io.envoyproxy.envoy.service.discovery.v3.ResourceError;
import java.io.IOException;
import java.util.Optional;

/** Reads the errors that a server sends in place of resources (xRFC TP3). */
final class ResourceErrors {
  private ResourceErrors() {}

  /** A well-formed error. */
  record Named(String name, Status detail) {}

  /** The error at {@code index}; empty if it is malformed, which is noted. */
  static Optional<Named> read(Response response, int index, Nack nack) {
    ResourceError error;
    try {
      error = response.error(index);
    } catch (IOException e) {
      nack.resourceError(index, "cannot be decoded: " + e.getMessage());
      return Optional.empty();
    }
    String name = error.getResourceName().getName();
    if (name.isEmpty()) {
      nack.resourceError(index, "resource_name unset");
      return Optional.empty();
    }
    if (error.getErrorDetail().getCode() == 0) {
      nack.resourceError(index, name + ": error_detail must be non-OK");
      return Optional.empty();
    }
    return Optional.of(new Named(name, error.getErrorDetail()));
  }
}
