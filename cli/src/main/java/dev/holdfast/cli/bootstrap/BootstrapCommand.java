// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.cli.bootstrap;

import dev.holdfast.cli.CommonOptions;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** Groups the commands that print bootstrap configurations. */
@Command(
    name = "bootstrap",
    header = "Print a bootstrap configuration for Envoy or gRPC.",
    synopsisSubcommandLabel = "envoy|grpc",
    footer = {
      "%nExamples:",
      "  holdfast bootstrap envoy > envoy.yaml",
      "  holdfast bootstrap grpc > xds.json"
    })
public final class BootstrapCommand {
  @Mixin CommonOptions common = new CommonOptions();
}
