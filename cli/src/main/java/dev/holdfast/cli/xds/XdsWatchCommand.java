// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.cli.xds;

import dev.holdfast.cli.CommonOptions;
import dev.holdfast.cli.ExitCode;
import dev.holdfast.cli.Shell;
import dev.holdfast.cli.output.Console;
import dev.holdfast.grpc.bootstrap.XdsBootstrap;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code holdfast xds watch}: what a control plane says, seen with our client. */
@Command(
    name = "watch",
    header = "Watch the resources of a control plane.",
    customSynopsis = {
      "holdfast xds watch [--bootstrap FILE | --server HOST:PORT [--server-feature FEATURE]...",
      "                          [--node-id ID]] [--delta] [--csds-port PORT] [-o text|json]",
      "                          [TYPE/NAME]..."
    },
    description = {
      "%nWatches resources of a control plane and prints one line for each thing that happens to "
          + "them, until it is told to quit or interrupted. A server that cannot be reached is one "
          + "of these things; it is tried again.%n",
      "TYPE is one of listener, route, cluster, endpoint. Without --bootstrap and --server, the "
          + "bootstrap is taken from GRPC_XDS_BOOTSTRAP (a file) or GRPC_XDS_BOOTSTRAP_CONFIG (its "
          + "content).%n"
    },
    footer = {
      "%nCommands on standard input, one per line; at its end the watching goes on:",
      "  watch TYPE NAME    add a watcher, also to what is watched already",
      "  cancel TYPE NAME   remove the newest watcher",
      "  dump               show the state of everything that is watched",
      "  quit               end, with exit code 0",
      "%nExamples:",
      "  holdfast xds watch --server localhost:18000 listener/shop cluster/cart",
      "  holdfast xds watch --bootstrap bootstrap.json -o json --delta route/shop | jq .",
      "  holdfast xds watch --server localhost:18000 --csds-port 50051 cluster/cart",
      "%nExit codes: 0 quit, 1 the bootstrap or the port cannot be used, 2 bad arguments."
    })
@SuppressWarnings("NullAway.Init") // picocli sets what it must before call()
public final class XdsWatchCommand implements Callable<Integer> {
  private final Shell shell;

  @Spec CommandSpec spec;
  @Mixin CommonOptions common = new CommonOptions();
  @Mixin ServerOptions servers = new ServerOptions();

  @Option(
      names = "--csds-port",
      paramLabel = "PORT",
      description =
          "Serve CSDS on this port of the loopback interface, for 'xds status' and the like. "
              + "0 picks a port; it is reported on standard error.")
  @Nullable Integer csdsPort;

  @Option(
      names = {"-o", "--output"},
      paramLabel = "text|json",
      description = "For people or, one JSON object per line, for programs. Default: text.")
  Format format = Format.text;

  @Parameters(
      paramLabel = "TYPE/NAME",
      description = "What to watch from the beginning. May be repeated.")
  List<String> names = new ArrayList<>();

  /** The values are spelled as users write them. */
  enum Format {
    text,
    json
  }

  public XdsWatchCommand(Shell shell) {
    this.shell = shell;
  }

  @Override
  public Integer call() {
    common.apply();
    checkCsdsPort();
    List<ResourceKey> keys = keys();
    XdsBootstrap bootstrap = servers.bootstrap(shell.environment());
    CompletableFuture<Integer> end = new CompletableFuture<>();
    Console console = new Console(shell.out(), shell.err(), () -> end.complete(ExitCode.FAILED));
    try (PrinterThread printing = new PrinterThread();
        WatchClient connections =
            connect(bootstrap, new ConsoleObserver(console, common.verbose()))) {
      if (csdsPort != null) {
        console.note("serving CSDS on localhost:" + connections.serveCsds(csdsPort));
      }
      WatchSession session =
          new WatchSession(
              connections, output(console), console, printing, () -> end.complete(ExitCode.OK));
      keys.forEach(session::watch);
      if (shell.terminal().in()) {
        console.note("watching; " + SessionCommand.EXPECTED);
      }
      readCommands(new CommandReader(shell.in(), session, console));
      return end.join();
    }
  }

  private void checkCsdsPort() {
    if (csdsPort != null && (csdsPort < 0 || csdsPort > 65535)) {
      throw bad("--csds-port: " + csdsPort + " (expected: 0 to 65535)");
    }
  }

  private List<ResourceKey> keys() {
    try {
      return names.stream().map(ResourceKey::parse).toList();
    } catch (IllegalArgumentException e) {
      throw bad(String.valueOf(e.getMessage()));
    }
  }

  private ParameterException bad(String message) {
    return new ParameterException(spec.commandLine(), message);
  }

  private WatchClient connect(XdsBootstrap bootstrap, ConsoleObserver observer) {
    return WatchClient.open(bootstrap, servers.protocol(), shell.environment(), observer);
  }

  private WatchOutput output(Console console) {
    return switch (format) {
      case json -> new JsonWatchOutput(console, shell.time());
      case text ->
          new TextWatchOutput(
              console,
              shell.time(),
              new TextWatchOutput.Look(shell.style(), shell.width(), ZoneId.systemDefault()));
    };
  }

  private static void readCommands(CommandReader reader) {
    Thread thread = new Thread(reader, "holdfast-commands");
    thread.setDaemon(true); // a read from a terminal cannot be interrupted
    thread.start();
  }
}
