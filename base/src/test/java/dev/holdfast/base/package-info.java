// SPDX-License-Identifier: Apache-2.0
@NullMarked
package dev.holdfast.base;

import org.jspecify.annotations.NullMarked;
