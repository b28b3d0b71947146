// SPDX-License-Identifier: Apache-2.0
/** The demo as a user runs it, and its picture. */
@NullMarked
package dev.holdfast.interop.demo;

import org.jspecify.annotations.NullMarked;
