// SPDX-License-Identifier: Apache-2.0
/** Keeps a mass deletion waiting until somebody confirms it. */
@NullMarked
package dev.holdfast.controlplane.brake;

import org.jspecify.annotations.NullMarked;
