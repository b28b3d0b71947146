// SPDX-License-Identifier: Apache-2.0
/** Messages of any type, known or not, made readable. */
@NullMarked
package dev.holdfast.cli.proto;

import org.jspecify.annotations.NullMarked;
