// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.cli.xds;

import dev.holdfast.cli.CommonOptions;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** Groups the commands about xDS itself. */
@Command(
    name = "xds",
    header = "Inspect xDS servers and xDS clients.",
    synopsisSubcommandLabel = "COMMAND",
    footer = {
      "%nExamples:",
      "  holdfast xds watch --server localhost:18000 cluster/backend",
      "  holdfast xds status localhost:50051"
    })
public final class XdsCommand {
  @Mixin CommonOptions common = new CommonOptions();
}
