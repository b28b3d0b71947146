// SPDX-License-Identifier: Apache-2.0
/** Puts objects into the directory that a control plane serves, and sees what becomes of them. */
@NullMarked
package dev.holdfast.cli.apply;

import org.jspecify.annotations.NullMarked;
