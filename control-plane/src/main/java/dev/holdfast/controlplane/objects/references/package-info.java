// SPDX-License-Identifier: Apache-2.0
/** The positions of fields in objects. */
@NullMarked
package dev.holdfast.controlplane.objects.references;

import org.jspecify.annotations.NullMarked;
