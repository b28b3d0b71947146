// SPDX-License-Identifier: Apache-2.0
/** Objects as facts, and which derived thing was made of which facts. */
@NullMarked
package dev.holdfast.controlplane.translate.index;

import org.jspecify.annotations.NullMarked;
