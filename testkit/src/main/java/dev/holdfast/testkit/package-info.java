// SPDX-License-Identifier: Apache-2.0
/** Time moved by hand and servers that do as they are told. */
@NullMarked
package dev.holdfast.testkit;

import org.jspecify.annotations.NullMarked;
