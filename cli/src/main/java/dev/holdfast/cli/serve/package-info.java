// SPDX-License-Identifier: Apache-2.0
/** The command that runs the control plane. */
@NullMarked
package dev.holdfast.cli.serve;

import org.jspecify.annotations.NullMarked;
