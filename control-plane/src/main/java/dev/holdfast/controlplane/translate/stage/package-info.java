// SPDX-License-Identifier: Apache-2.0
/**
 * The stages of a translation, each an immutable value that holds what it has derived: hosts, then
 * the clusters that hosts need, then the endpoints and certificates that clusters need.
 */
@NullMarked
package dev.holdfast.controlplane.translate.stage;

import org.jspecify.annotations.NullMarked;
