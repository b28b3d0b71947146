// SPDX-License-Identifier: Apache-2.0
@NullMarked
package dev.holdfast.controlplane.rollout.selection;

import org.jspecify.annotations.NullMarked;
