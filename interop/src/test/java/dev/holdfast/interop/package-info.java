// SPDX-License-Identifier: Apache-2.0
@NullMarked
package dev.holdfast.interop;

import org.jspecify.annotations.NullMarked;
