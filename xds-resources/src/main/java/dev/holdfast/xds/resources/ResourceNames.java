// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.xds.resources;

import com.google.protobuf.ByteString;
import com.google.protobuf.CodedInputStream;
import com.google.protobuf.WireFormat;
import java.io.IOException;
import org.jspecify.annotations.Nullable;

/**
 * Reads the name of a serialized resource without decoding the rest. Listener, RouteConfiguration
 * and Cluster have their {@code name}, ClusterLoadAssignment its {@code cluster_name}, as field 1.
 */
public final class ResourceNames {
  private static final int NAME_TAG = (1 << 3) | WireFormat.WIRETYPE_LENGTH_DELIMITED;

  private ResourceNames() {}

  /**
   * The name, or null if the bytes are malformed or hold none. As in any proto message the last
   * occurrence wins, so a name from here is the one that full decoding finds. Null does not mean
   * that full decoding fails, too: protobuf is stricter with bytes that it skips than with those
   * that it reads.
   */
  public static @Nullable String peek(ByteString serialized) {
    CodedInputStream in = serialized.newCodedInput();
    String name = null;
    try {
      for (int tag = in.readTag(); tag != 0; tag = in.readTag()) {
        if (tag == NAME_TAG) {
          name = in.readStringRequireUtf8();
        } else if (!in.skipField(tag)) {
          return null; // an end-group tag that nothing opened
        }
      }
    } catch (IOException e) {
      return null;
    }
    return name == null || name.isEmpty() ? null : name;
  }
}
