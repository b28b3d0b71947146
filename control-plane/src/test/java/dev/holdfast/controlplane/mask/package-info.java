// SPDX-License-Identifier: Apache-2.0
@NullMarked
package dev.holdfast.controlplane.mask;

import org.jspecify.annotations.NullMarked;
