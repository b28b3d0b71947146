// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.grpc.config;

import dev.holdfast.xds.client.ResourceType;
import io.grpc.Status;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Words what the errors of calls say of the control plane. What leaves here is UNAVAILABLE whatever
 * the control plane's own code (gRFC A54), and names the node once, at its end.
 */
final class ErrorTexts {
  private final String nodeId;
  private final String nodeSuffix;

  ErrorTexts(String nodeId) {
    this.nodeId = nodeId;
    nodeSuffix = nodeId.isEmpty() ? "" : " (node ID:" + nodeId + ")";
  }

  /** A watcher's error, as calls may see it. */
  Status unavailable(ResourceType<?> type, String name, Status status) {
    AmbientError error = ambient(type, name, status);
    return unavailable(error.subject() + ": " + error.reason()).withCause(status.getCause());
  }

  Status unavailable(String text) {
    return Status.UNAVAILABLE.withDescription(text + nodeSuffix);
  }

  /** A watcher's error beside a resource, taken apart. */
  AmbientError ambient(ResourceType<?> type, String name, Status status) {
    String kind = type.shortName() + " resource ";
    String subject = kind + name;
    String text = status.getDescription();
    if (text == null) {
      return new AmbientError(subject, status.getCode().name());
    }
    String reason = withoutNode(text);
    if (reason.startsWith(subject + ": ")) {
      return new AmbientError(subject, reason.substring(subject.length() + 2));
    }
    // The engine may spell the name in another way, with its parameters in another order.
    int end = reason.startsWith(kind) ? reason.indexOf(": ", kind.length()) : -1;
    return end < 0
        ? new AmbientError(subject, reason)
        : new AmbientError(reason.substring(0, end), reason.substring(end + 2));
  }

  private String withoutNode(String text) {
    return text.endsWith(nodeSuffix)
        ? text.substring(0, text.length() - nodeSuffix.length())
        : text;
  }

  /**
   * The errors that stand, as one note; without any, who this node is. A server that is lost is one
   * reason for all that comes from it, and is named once.
   */
  String note(List<AmbientError> ambient) {
    if (ambient.isEmpty()) {
      return nodeId.isEmpty() ? "xDS node without ID" : "xDS node ID:" + nodeId;
    }
    Map<String, String> subjects = new LinkedHashMap<>();
    for (AmbientError error : ambient) {
      subjects.merge(error.reason(), error.subject(), (all, next) -> all + ", " + next);
    }
    StringBuilder note = new StringBuilder();
    subjects.forEach(
        (reason, about) ->
            note.append(note.isEmpty() ? "" : "; ").append(about).append(": ").append(reason));
    return note.append(nodeSuffix).toString();
  }
}
