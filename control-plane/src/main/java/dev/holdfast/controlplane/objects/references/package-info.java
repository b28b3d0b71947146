// SPDX-License-Identifier: Apache-2.0
/** The places of what objects say. */
@NullMarked
package dev.holdfast.controlplane.objects.references;

import org.jspecify.annotations.NullMarked;
