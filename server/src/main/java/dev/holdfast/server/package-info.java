// SPDX-License-Identifier: Apache-2.0
/** The daemon around a control plane: its options, its ports, its start and its end. */
@NullMarked
package dev.holdfast.server;

import org.jspecify.annotations.NullMarked;
