// SPDX-License-Identifier: Apache-2.0
/** What a control plane tells of itself: values for status pages, commands and metrics. */
@NullMarked
package dev.holdfast.controlplane.report;

import org.jspecify.annotations.NullMarked;
