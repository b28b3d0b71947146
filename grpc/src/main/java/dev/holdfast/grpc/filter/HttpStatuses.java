// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.grpc.filter;

import io.grpc.Status;

/** What gRPC makes of an answer that has a status of HTTP and none of gRPC. */
final class HttpStatuses {
  private HttpStatuses() {}

  static Status.Code toCode(int httpStatus) {
    return switch (httpStatus) {
      case 400 -> Status.Code.INTERNAL;
      case 401 -> Status.Code.UNAUTHENTICATED;
      case 403 -> Status.Code.PERMISSION_DENIED;
      case 404 -> Status.Code.UNIMPLEMENTED;
      case 429, 502, 503, 504 -> Status.Code.UNAVAILABLE;
      default -> Status.Code.UNKNOWN; // 200, too: an answer that is not one of gRPC
    };
  }
}
