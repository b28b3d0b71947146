// SPDX-License-Identifier: Apache-2.0
/**
 * A control plane, its store, proxies and their network in one thread, driven by chance from one
 * seed. What must always be true is looked at after every event.
 */
@NullMarked
package dev.holdfast.controlplane.simulation;

import org.jspecify.annotations.NullMarked;
