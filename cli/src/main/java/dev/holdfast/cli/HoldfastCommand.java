// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.cli;

import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** {@code holdfast} itself, which does nothing without a command. */
@Command(
    name = "holdfast",
    description =
        "%nxDS that holds: check objects, watch control planes and clients, and see why they"
            + " disagree.%n",
    synopsisSubcommandLabel = "COMMAND",
    footer = {
      "%nExamples:",
      "  holdfast validate examples/shop",
      "  holdfast xds watch --server localhost:18000 cluster/backend",
      "  holdfast xds status localhost:50051"
    })
final class HoldfastCommand {
  @Mixin CommonOptions common = new CommonOptions();
}
