// SPDX-License-Identifier: Apache-2.0
/** What is served: resources, where each part of them came from, and all of them together. */
@NullMarked
package dev.holdfast.controlplane.snapshot;

import org.jspecify.annotations.NullMarked;
