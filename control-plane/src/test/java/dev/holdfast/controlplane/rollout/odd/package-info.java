// SPDX-License-Identifier: Apache-2.0
@NullMarked
package dev.holdfast.controlplane.rollout.odd;

import org.jspecify.annotations.NullMarked;
