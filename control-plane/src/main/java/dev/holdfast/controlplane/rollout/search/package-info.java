// SPDX-License-Identifier: Apache-2.0
/** The search for the object that caused a rejection, and the record of each incident. */
@NullMarked
package dev.holdfast.controlplane.rollout.search;

import org.jspecify.annotations.NullMarked;
