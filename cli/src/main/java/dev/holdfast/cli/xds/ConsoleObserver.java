// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.cli.xds;

import dev.holdfast.cli.output.Console;
import dev.holdfast.xds.client.ResourceType;
import dev.holdfast.xds.client.ServerConfig;
import dev.holdfast.xds.client.XdsClientObserver;
import io.grpc.Status;

/** Prints the engine's events on standard error, for {@code --verbose}. */
final class ConsoleObserver implements XdsClientObserver {
  private final Console console;
  private final boolean verbose;

  ConsoleObserver(Console console, boolean verbose) {
    this.console = console;
    this.verbose = verbose;
  }

  @Override
  public void streamStarted(ServerConfig server) {
    tell("stream to " + server.uri() + " started");
  }

  @Override
  public void streamEnded(ServerConfig server, Status status) {
    tell("stream to " + server.uri() + " ended: " + describe(status));
  }

  @Override
  public void serverFailure(ServerConfig server, Status status) {
    tell(server.uri() + " became unreachable: " + describe(status));
  }

  @Override
  public void resourceUpdates(ServerConfig server, ResourceType<?> type, int valid, int invalid) {
    tell(
        server.uri()
            + " sent "
            + type.shortName()
            + ": "
            + valid
            + " valid, "
            + invalid
            + " invalid");
  }

  @Override
  public void nackSent(ServerConfig server, ResourceType<?> type, String version, String detail) {
    tell("NACK to " + server.uri() + " of " + type.shortName() + " " + version + ": " + detail);
  }

  @Override
  public void unknownTypeIgnored(ServerConfig server, String typeUrl) {
    tell(server.uri() + " sent a type that was not requested: " + typeUrl);
  }

  @Override
  public void uncaught(Throwable error) {
    console.note("internal error, please report it: " + error);
  }

  private void tell(String what) {
    if (verbose) {
      console.note(what);
    }
  }

  private static String describe(Status status) {
    return status.getCode()
        + (status.getDescription() == null ? "" : ": " + status.getDescription());
  }
}
