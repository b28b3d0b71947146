// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.xds.client.engine;

import com.google.rpc.Status;
import io.envoyproxy.envoy.service.discovery.v3.ResourceError;
import java.io.IOException;
import org.jspecify.annotations.Nullable;

/** Reads the errors that a server sends in place of resources (xRFC TP3). */
final class ResourceErrors {
  private ResourceErrors() {}

  /**
   * One error.
   *
   * @param name the resource it is about; null if that cannot be known
   * @param fault why it is malformed; null if it is not
   */
  record Read(@Nullable String name, Status detail, @Nullable String fault) {}

  static Read read(Response response, int index) {
    ResourceError error;
    try {
      error = response.error(index);
    } catch (IOException e) {
      return new Read(null, Status.getDefaultInstance(), "cannot be decoded: " + e.getMessage());
    }
    String name = error.getResourceName().getName();
    Status detail = error.getErrorDetail();
    if (name.isEmpty()) {
      return new Read(null, detail, "resource_name unset");
    }
    return new Read(
        name, detail, detail.getCode() == 0 ? name + ": error_detail must be non-OK" : null);
  }
}
