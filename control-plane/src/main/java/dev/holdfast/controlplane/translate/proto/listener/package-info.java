// SPDX-License-Identifier: Apache-2.0
/** Listeners, and what becomes of their connections. */
@NullMarked
package dev.holdfast.controlplane.translate.proto.listener;

import org.jspecify.annotations.NullMarked;
