// SPDX-License-Identifier: Apache-2.0
/** Objects as facts, and the dependencies of derived values on facts. */
@NullMarked
package dev.holdfast.controlplane.translate.index;

import org.jspecify.annotations.NullMarked;
