// SPDX-License-Identifier: Apache-2.0
/** The objects of the demo, as their authors write them. */
@NullMarked
package dev.holdfast.demo.shop;

import org.jspecify.annotations.NullMarked;
