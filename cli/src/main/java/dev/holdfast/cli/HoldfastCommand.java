// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.cli;

import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** {@code holdfast} itself, which does nothing without a command. */
@Command(
    name = "holdfast",
    description =
        "%nAn xDS control plane for Envoy and gRPC that holds back a change that a proxy rejects,"
            + " and tools to inspect xDS servers and clients.%n",
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
