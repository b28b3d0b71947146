// SPDX-License-Identifier: Apache-2.0
/**
 * What an operator reads: lines by area, each with the object, node and incident that it is about.
 */
@NullMarked
package dev.holdfast.controlplane.log;

import org.jspecify.annotations.NullMarked;
