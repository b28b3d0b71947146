// SPDX-License-Identifier: Apache-2.0
/** Listeners, their filter chains and filters. */
@NullMarked
package dev.holdfast.controlplane.translate.proto.listener;

import org.jspecify.annotations.NullMarked;
