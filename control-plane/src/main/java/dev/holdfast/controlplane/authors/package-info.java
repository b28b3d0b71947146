// SPDX-License-Identifier: Apache-2.0
/** What the authors of objects may write, by the operator's rules. */
@NullMarked
package dev.holdfast.controlplane.authors;

import org.jspecify.annotations.NullMarked;
