// SPDX-License-Identifier: Apache-2.0
@NullMarked
package dev.holdfast.demo.traffic;

import org.jspecify.annotations.NullMarked;
