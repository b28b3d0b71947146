// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.controlplane.translate.stage;

import dev.holdfast.controlplane.translate.host.ClusterDemand;
import dev.holdfast.controlplane.translate.host.FilterUse;
import dev.holdfast.controlplane.translate.host.SecretDemand;

/** What hosts need from the later stages. */
record Demands(
    Demand<String, ClusterDemand> clusters,
    Demand<SecretDemand, Boolean> secrets,
    Demand<FilterUse, Boolean> filters) {}
