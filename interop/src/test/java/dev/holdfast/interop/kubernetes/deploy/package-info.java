// SPDX-License-Identifier: Apache-2.0
/** The manifests and the chart of {@code deploy}, on a real API server. */
@NullMarked
package dev.holdfast.interop.kubernetes.deploy;

import org.jspecify.annotations.NullMarked;
