// SPDX-License-Identifier: Apache-2.0
/** A typed view of what an author wrote, which remembers where everything stood. */
@NullMarked
package dev.holdfast.controlplane.objects.read;

import org.jspecify.annotations.NullMarked;
