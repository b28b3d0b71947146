// SPDX-License-Identifier: Apache-2.0
@NullMarked
package dev.holdfast.controlplane.trace;

import org.jspecify.annotations.NullMarked;
