// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.xds.client.engine;

import dev.holdfast.base.Problem;
import dev.holdfast.base.Problems;
import dev.holdfast.xds.client.ResourceType;
import dev.holdfast.xds.client.ServerConfig;
import io.grpc.Status;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The one place that words errors. What leaves the engine names the resource and, once, the node.
 */
final class Errors {
  private final String nodeSuffix;

  Errors(String nodeId) {
    nodeSuffix = nodeId.isEmpty() ? "" : " (node ID:" + nodeId + ")";
  }

  Status invalid(ResourceType<?> type, String name, List<Problem> problems) {
    return of(Status.INVALID_ARGUMENT, type, name, "invalid: " + Problems.describe(problems));
  }

  /** One text whether it ever existed or not: a server that repeats itself is told of once. */
  Status deleted(ResourceType<?> type, String name, ServerConfig server) {
    String text = "does not exist: xDS server " + server.uri() + " does not have it";
    return of(Status.NOT_FOUND, type, name, text);
  }

  /** The server's own words (xRFC TP3), with its own code. */
  Status fromServer(ResourceType<?> type, String name, com.google.rpc.Status detail) {
    String text = detail.getMessage().isEmpty() ? "error without text" : detail.getMessage();
    Status code = Status.fromCodeValue(detail.getCode());
    boolean unheardOf = code.getCode().value() != detail.getCode();
    return of(code, type, name, unheardOf ? "code " + detail.getCode() + ": " + text : text);
  }

  /**
   * @param earlier an error that was known before the timer fired and explains more than it does
   */
  Status timedOut(
      ResourceType<?> type,
      String name,
      ServerConfig server,
      Duration timeout,
      boolean transientError,
      @Nullable Status earlier) {
    String silence =
        "xDS server " + server.uri() + " did not send it within " + timeout.toSeconds() + " s";
    String text =
        (transientError ? "timed out: " : "does not exist: ")
            + silence
            + (earlier == null ? "" : "; before that: " + withoutNode(earlier));
    return of(transientError ? Status.UNAVAILABLE : Status.NOT_FOUND, type, name, text);
  }

  /** A problem with a server, as the watcher of one resource hears it. */
  Status connectivity(ResourceType<?> type, String name, Status cause) {
    return of(cause, type, name, String.valueOf(cause.getDescription()));
  }

  /** A watch that can never work. */
  Status badWatch(Status code, ResourceType<?> type, String name, String text) {
    return of(code, type, name, text);
  }

  /** Two errors that stand at the same time; the newer one gives the code. */
  Status both(Status newer, Status older) {
    return newer.withDescription(withoutNode(newer) + "; also: " + older.getDescription());
  }

  private Status of(Status code, ResourceType<?> type, String name, String text) {
    return code.withDescription(
        type.shortName() + " resource " + name + ": " + TextLimits.bounded(text) + nodeSuffix);
  }

  private String withoutNode(Status status) {
    String text = String.valueOf(status.getDescription());
    return text.endsWith(nodeSuffix)
        ? text.substring(0, text.length() - nodeSuffix.length())
        : text;
  }

  // What goes wrong with a server; the resource is added by connectivity().

  static Status streamFailed(ServerConfig server, Status status) {
    String cause =
        status.isOk()
            ? "ADS stream closed by the server before any response"
            : "ADS stream failed before any response: " + describe(status);
    return unavailable(server, cause);
  }

  static Status channelFailed(ServerConfig server, Status status) {
    return unavailable(server, "channel in TRANSIENT_FAILURE: " + describe(status));
  }

  static Status noTransport(ServerConfig server, Throwable e) {
    boolean forPeople = e instanceof RuntimeException && e.getMessage() != null;
    return unavailable(server, "cannot connect: " + (forPeople ? e.getMessage() : e));
  }

  static Status transportBroke(ServerConfig server, Throwable e) {
    return unavailable(server, "ADS stream given up, as its transport failed: " + e);
  }

  static Status notDispatched(ServerConfig server, Duration after) {
    return unavailable(
        server,
        "ADS stream still waiting for a connection after "
            + after.toSeconds()
            + " s (expected: a reachable server with room for one more stream)");
  }

  static Status undecodable(ServerConfig server, String cause) {
    return unavailable(server, "sent a response that cannot be decoded: " + cause);
  }

  /**
   * UNAVAILABLE whatever the cause: a stream's own code must not look like a verdict on a resource.
   */
  private static Status unavailable(ServerConfig server, String text) {
    return Status.UNAVAILABLE.withDescription("xDS server " + server.uri() + ": " + text);
  }

  private static String describe(Status status) {
    String text = status.getDescription();
    return text == null ? status.getCode().name() : status.getCode() + ": " + text;
  }
}
