// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.grpc.config;

import dev.holdfast.xds.client.ResourceType;
import io.grpc.Status;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Words what the errors of calls say of the control plane. What leaves here is UNAVAILABLE whatever
 * the control plane's own code (gRFC A54), and names the node once, at its end.
 */
final class Texts {
  private final String nodeId;
  private final String nodeSuffix;

  Texts(String nodeId) {
    this.nodeId = nodeId;
    nodeSuffix = nodeId.isEmpty() ? "" : " (node ID:" + nodeId + ")";
  }

  /** A watcher's error, as calls may see it. */
  Status unavailable(ResourceType<?> type, String name, Status status) {
    String text = status.getDescription();
    if (text == null) {
      return unavailable(type.shortName() + " resource " + name + ": " + status.getCode());
    }
    return unavailable(withoutNode(text)).withCause(status.getCause());
  }

  Status unavailable(String text) {
    return Status.UNAVAILABLE.withDescription(text + nodeSuffix);
  }

  /** The errors that stand, as one note; without any, who this node is. */
  String note(List<? extends @Nullable Status> ambient) {
    StringBuilder note = new StringBuilder();
    for (Status status : ambient) {
      if (status != null) {
        note.append(note.isEmpty() ? "" : "; ")
            .append(withoutNode(String.valueOf(status.getDescription())));
      }
    }
    if (!note.isEmpty()) {
      return note.append(nodeSuffix).toString();
    }
    return nodeId.isEmpty() ? "xDS node without ID" : "xDS node ID:" + nodeId;
  }

  private String withoutNode(String text) {
    return text.endsWith(nodeSuffix)
        ? text.substring(0, text.length() - nodeSuffix.length())
        : text;
  }
}
