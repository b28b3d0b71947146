// SPDX-License-Identifier: Apache-2.0
@NullMarked
package dev.holdfast.controlplane.translate.assemble;

import org.jspecify.annotations.NullMarked;
