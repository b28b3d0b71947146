// SPDX-License-Identifier: Apache-2.0
/** Envoy configuration that authors attach to routing objects. */
@NullMarked
package dev.holdfast.controlplane.objects.extension;

import org.jspecify.annotations.NullMarked;
