// SPDX-License-Identifier: Apache-2.0
@NullMarked
package dev.holdfast.controlplane.rollout.fleet;

import org.jspecify.annotations.NullMarked;
