// SPDX-License-Identifier: Apache-2.0
/**
 * Resources as they are served: single resources with their provenance, tables by type, and
 * snapshots of all of them.
 */
@NullMarked
package dev.holdfast.controlplane.snapshot;

import org.jspecify.annotations.NullMarked;
