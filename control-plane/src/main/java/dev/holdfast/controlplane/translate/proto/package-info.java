// SPDX-License-Identifier: Apache-2.0
/**
 * Builds single messages of Envoy's API, version 3, from typed values. Every function is pure, does
 * not look at other objects, and gives equal messages for equal arguments. Callers decide which
 * messages exist, their names and their order.
 */
@NullMarked
package dev.holdfast.controlplane.translate.proto;

import org.jspecify.annotations.NullMarked;
