// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.grpc.observe;

import dev.holdfast.xds.client.ResourceType;
import dev.holdfast.xds.client.ServerConfig;
import dev.holdfast.xds.client.XdsClientObserver;
import io.grpc.Status;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * Logs what an operator should see, once: a server that is lost and found again, a response that is
 * refused, and at DEBUG everything else. A server that sends the same refused response again and
 * again is worth one line, not one per response.
 *
 * <p>Called from the engine's loop.
 */
public final class LoggingObserver implements XdsClientObserver {
  private final Logger log;
  private final String prefix;
  private final Map<ServerConfig, Boolean> connected = new HashMap<>();
  private final Map<Refused, String> refused = new HashMap<>();
  private final Set<Refused> ignored = new HashSet<>();

  /** Reports have a loop of their own. */
  private final Set<ServerConfig> unreported = ConcurrentHashMap.newKeySet();

  private LoggingObserver(Logger log, String name) {
    this.log = log;
    this.prefix = "[" + LogText.oneLine(name) + "] ";
  }

  /**
   * Logs as {@code dev.holdfast.xds}.
   *
   * @param name on whose behalf the client watches; begins each line
   */
  public static LoggingObserver create(String name) {
    return create(System.getLogger("dev.holdfast.xds"), name);
  }

  /** Logs to a logger of the caller's choosing. */
  public static LoggingObserver create(Logger log, String name) {
    return new LoggingObserver(log, name);
  }

  @Override
  public void serverFailure(ServerConfig server, Status status) {
    log(
        Level.WARNING,
        "xDS server " + server.uri() + " is lost, what is cached stays in use: " + text(status));
  }

  @Override
  public void connected(ServerConfig server, @Nullable Boolean works) {
    if (works == null) {
      connected.remove(server);
      refused.keySet().removeIf(key -> key.server.equals(server));
      ignored.removeIf(key -> key.server.equals(server));
      log(Level.DEBUG, "xDS server " + server.uri() + " is no longer used");
      return;
    }
    Boolean before = connected.put(server, works);
    if (before == null) {
      log(Level.DEBUG, "xDS server " + server.uri() + " is used");
    } else if (works && !before) {
      log(Level.INFO, "xDS server " + server.uri() + " works again");
    }
  }

  @Override
  public void nackSent(ServerConfig server, ResourceType<?> type, String version, String detail) {
    String what = version + ": " + detail;
    String before = refused.put(new Refused(server, type.typeUrl()), what);
    log(
        what.equals(before) ? Level.DEBUG : Level.WARNING,
        "%s of xDS server %s is refused, version %s"
            .formatted(type.shortName(), server.uri(), what));
  }

  @Override
  public void unknownTypeIgnored(ServerConfig server, String typeUrl) {
    boolean first = ignored.add(new Refused(server, typeUrl));
    log(
        first ? Level.WARNING : Level.DEBUG,
        "xDS server " + server.uri() + " sent what nobody asked for, ignored: " + typeUrl);
  }

  @Override
  public void loadReportsBegan(ServerConfig server) {
    boolean again = unreported.remove(server);
    log(
        again ? Level.INFO : Level.DEBUG,
        "xDS server " + server.uri() + (again ? " takes load reports again" : " wants loads"));
  }

  @Override
  public void loadReportsEnded(ServerConfig server, Status status) {
    boolean first = unreported.add(server);
    log(
        first ? Level.WARNING : Level.DEBUG,
        "xDS server "
            + server.uri()
            + " takes no load reports, they are kept and tried again: "
            + text(status));
  }

  @Override
  public void uncaught(Throwable error) {
    log.log(Level.ERROR, prefix + "a watcher or an executor failed; the client goes on", error);
  }

  @Override
  public void streamStarted(ServerConfig server) {
    log(Level.DEBUG, "stream to xDS server " + server.uri() + " started");
  }

  @Override
  public void streamEnded(ServerConfig server, Status status) {
    log(Level.DEBUG, "stream to xDS server " + server.uri() + " ended: " + text(status));
  }

  @Override
  public void resourceUpdates(ServerConfig server, ResourceType<?> type, int valid, int invalid) {
    if (log.isLoggable(Level.DEBUG)) {
      log(
          Level.DEBUG,
          "%s from xDS server %s: %d valid, %d invalid"
              .formatted(type.shortName(), server.uri(), valid, invalid));
    }
  }

  private void log(Level level, String text) {
    if (log.isLoggable(level)) {
      log.log(level, prefix + LogText.oneLine(text));
    }
  }

  private static String text(Status status) {
    String description = status.getDescription();
    return description == null ? status.getCode().name() : status.getCode() + ": " + description;
  }

  private record Refused(ServerConfig server, String typeUrl) {}
}
