// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.cli.xds;

import dev.holdfast.cli.CommonOptions;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** Groups the commands about xDS itself. */
@Command(
    name = "xds",
    header = "Look at xDS servers and at xDS clients.%n",
    synopsisSubcommandLabel = "COMMAND")
public final class XdsCommand {
  @Mixin CommonOptions common = new CommonOptions();
}
