// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.cli.state;

import dev.holdfast.cli.CommonOptions;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** Groups the commands about the state file of a server. */
@Command(
    name = "state",
    header = "Back up and restore the state of a server.",
    synopsisSubcommandLabel = "backup|restore",
    footer = {
      "%nExamples:",
      "  holdfast state backup monday.db --directory shop",
      "  holdfast state restore monday.db --directory shop"
    })
public final class StateCommand {
  @Mixin CommonOptions common = new CommonOptions();
}
