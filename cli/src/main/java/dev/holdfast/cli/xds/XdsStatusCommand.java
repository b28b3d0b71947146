// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.cli.xds;

import dev.holdfast.cli.CommonOptions;
import dev.holdfast.cli.Shell;
import dev.holdfast.cli.output.Console;
import dev.holdfast.cli.output.Json;
import dev.holdfast.cli.output.SafeText;
import dev.holdfast.cli.output.Style.Colour;
import dev.holdfast.cli.output.Yaml;
import java.math.BigDecimal;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code holdfast xds status}: what the xDS clients of a process know. */
@Command(
    name = "status",
    header = "Show what the xDS clients of a process know.",
    customSynopsis = "holdfast xds status HOST:PORT [-o table|json|yaml] [--timeout SECONDS]",
    description = {
      "%nShows what the xDS clients of a process know: every resource with its state, the version "
          + "in use, how long ago the server last sent it, and what is wrong with it.%n",
      "The process must serve CSDS (envoy.service.status.v3.ClientStatusDiscoveryService) without "
          + "encryption, as gRPC applications with the admin services do, and 'holdfast xds watch "
          + "--csds-port'.%n"
    },
    footer = {
      "%nExamples:",
      "  holdfast xds status localhost:50051",
      "  holdfast xds status localhost:50051 -o json | jq '.[].entries[] | select(.error)'",
      "%nExit codes: 0 done, 1 no answer from the process, 2 bad arguments."
    })
@SuppressWarnings("NullAway.Init") // picocli sets what it must before run()
public final class XdsStatusCommand implements Runnable {
  private static final BigDecimal LONGEST_TIMEOUT = BigDecimal.valueOf(86_400);

  private final Shell shell;

  @Spec CommandSpec spec;
  @Mixin CommonOptions common = new CommonOptions();

  @Parameters(
      paramLabel = "HOST:PORT",
      converter = HostPort.Converter.class,
      description = "Where the process serves CSDS.")
  HostPort server;

  @Option(
      names = {"-o", "--output"},
      paramLabel = "table|json|yaml",
      description = "For people or for programs. Default: ${DEFAULT-VALUE}.")
  Format format = Format.table;

  @Option(
      names = "--timeout",
      paramLabel = "SECONDS",
      description = "How long to wait for the answer. Default: ${DEFAULT-VALUE}.")
  BigDecimal timeout = BigDecimal.valueOf(5);

  /** The values are spelled as users write them. */
  enum Format {
    table,
    json,
    yaml
  }

  public XdsStatusCommand(Shell shell) {
    this.shell = shell;
  }

  @Override
  public void run() {
    common.apply();
    List<ClientState> clients = ClientState.of(new CsdsClient(server, timeout()).fetch());
    Console console = new Console(shell.out(), shell.err());
    switch (format) {
      case json -> console.print(Json.pretty(ClientState.json(clients)));
      case yaml -> console.print(Yaml.of(ClientState.json(clients)));
      case table -> console.print(table(clients));
    }
  }

  private Duration timeout() {
    if (timeout.signum() <= 0 || timeout.compareTo(LONGEST_TIMEOUT) > 0) {
      throw new ParameterException(
          spec.commandLine(),
          "--timeout: " + timeout.toPlainString() + " (expected: more than 0, at most a day)");
    }
    return Duration.ofNanos(timeout.movePointRight(9).longValue());
  }

  private List<String> table(List<ClientState> clients) {
    if (clients.isEmpty()) {
      return List.of("the process has no xDS clients");
    }
    List<String> lines = new ArrayList<>();
    for (ClientState client : clients) {
      if (!lines.isEmpty()) {
        lines.add("");
      }
      lines.add(shell.style().apply(Colour.HEADING, SafeText.text(title(client))));
      lines.addAll(
          EntryTable.render(client.entries(), shell.time().now(), shell.width(), shell.style()));
    }
    return lines;
  }

  private static String title(ClientState client) {
    String node = client.nodeId().isEmpty() ? "without id" : client.nodeId();
    return "node " + node + (client.scope().isEmpty() ? "" : ", scope " + client.scope());
  }
}
