// SPDX-License-Identifier: Apache-2.0
@NullMarked
package dev.holdfast.demo.world;

import org.jspecify.annotations.NullMarked;
