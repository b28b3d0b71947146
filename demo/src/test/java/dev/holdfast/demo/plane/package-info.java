// SPDX-License-Identifier: Apache-2.0
@NullMarked
package dev.holdfast.demo.plane;

import org.jspecify.annotations.NullMarked;
