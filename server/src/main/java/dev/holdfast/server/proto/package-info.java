// SPDX-License-Identifier: Apache-2.0
/** Messages of any type, known or not, made readable and safe to show. */
@NullMarked
package dev.holdfast.server.proto;

import org.jspecify.annotations.NullMarked;
