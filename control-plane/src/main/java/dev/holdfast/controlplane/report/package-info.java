// SPDX-License-Identifier: Apache-2.0
/** Values that the control plane hands to the admin API, to commands and to metrics. */
@NullMarked
package dev.holdfast.controlplane.report;

import org.jspecify.annotations.NullMarked;
