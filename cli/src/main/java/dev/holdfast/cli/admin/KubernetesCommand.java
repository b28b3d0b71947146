// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.cli.admin;

import dev.holdfast.cli.CommonOptions;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** Groups the commands about the cluster that a control plane reads. */
@Command(
    name = "kubernetes",
    header = "Show how current the objects of a Kubernetes cluster are.",
    synopsisSubcommandLabel = "status",
    footer = {"%nExamples:", "  holdfast kubernetes status"})
public final class KubernetesCommand {
  @Mixin CommonOptions common = new CommonOptions();
}
