// SPDX-License-Identifier: Apache-2.0
/**
 * Scouts: proxies that serve nobody, and are shown every change before a canary is. {@link
 * dev.holdfast.controlplane.rollout.scout.Scouts} is the door.
 */
@NullMarked
package dev.holdfast.controlplane.rollout.scout;

import org.jspecify.annotations.NullMarked;
