// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.cli;

import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** {@code holdfast} itself, which does nothing without a command. */
@Command(
    name = "holdfast",
    description =
        "%nxDS that holds: a control plane for Envoy and gRPC, and what it takes to see why a proxy"
            + " and a control plane disagree.%n",
    synopsisSubcommandLabel = "COMMAND",
    footer = {
      "%nExamples:",
      "  holdfast demo",
      "  holdfast validate examples/shop",
      "  holdfast serve examples/shop",
      "  holdfast bootstrap envoy > envoy.yaml",
      "  holdfast apply shop.yaml --wait",
      "  holdfast get objects",
      "  holdfast describe HTTPProxy/shop/web",
      "  holdfast xds watch --server localhost:18000 cluster/backend",
      "  holdfast xds status localhost:50051"
    })
final class HoldfastCommand {
  @Mixin CommonOptions common = new CommonOptions();
}
