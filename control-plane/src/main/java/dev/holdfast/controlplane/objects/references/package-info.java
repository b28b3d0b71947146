// SPDX-License-Identifier: Apache-2.0
/** What objects say of one another. */
@NullMarked
package dev.holdfast.controlplane.objects.references;

import org.jspecify.annotations.NullMarked;
