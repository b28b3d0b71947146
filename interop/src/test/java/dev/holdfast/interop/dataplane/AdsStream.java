// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.interop.dataplane;

import com.google.protobuf.Any;
import com.google.rpc.Status;
import java.util.Map;
import java.util.Set;

/** The server's end of one stream, in one of the variants of the protocol. */
interface AdsStream {
  /** What the server knows of one type, by name. */
  record Known(Map<String, Any> resources, Map<String, Status> errors, Set<String> removed) {
    boolean knows(String name) {
      return resources.containsKey(name) || errors.containsKey(name) || removed.contains(name);
    }
  }

  /** Says what it knows of these names, if it was asked for any of them. */
  void tell(String type, String version, Set<String> changed, Known known);

  void end(io.grpc.Status status);
}
