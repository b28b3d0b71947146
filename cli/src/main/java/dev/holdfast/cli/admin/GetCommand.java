// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.cli.admin;

import dev.holdfast.cli.CommonOptions;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** Groups the commands that list what a control plane knows. */
@Command(
    name = "get",
    header = "List objects, problems, proxies, resources, holds, deletions or incidents.",
    synopsisSubcommandLabel = "objects|problems|proxies|resources|holds|deletions|incidents",
    footer = {
      "%nExamples:",
      "  holdfast get objects",
      "  holdfast get problems",
      "  holdfast get proxies",
      "  holdfast get incidents 4"
    })
public final class GetCommand {
  @Mixin CommonOptions common = new CommonOptions();
}
