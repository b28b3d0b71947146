// SPDX-License-Identifier: Apache-2.0
/**
 * Single typed things as messages of Envoy's API, version 3. Every function here is pure, knows
 * nothing of other objects, and gives equal messages for equal arguments; which things there are,
 * what they are called and in which order they stand is for the callers.
 */
@NullMarked
package dev.holdfast.controlplane.translate.proto;

import org.jspecify.annotations.NullMarked;
