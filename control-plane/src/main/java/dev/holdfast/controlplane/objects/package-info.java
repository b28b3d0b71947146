// SPDX-License-Identifier: Apache-2.0
/**
 * The objects that authors write, kind by kind: typed, with defaults filled in and every problem
 * located.
 */
@NullMarked
package dev.holdfast.controlplane.objects;

import org.jspecify.annotations.NullMarked;
