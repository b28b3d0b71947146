// SPDX-License-Identifier: Apache-2.0
@NullMarked
package dev.holdfast.cli.waiting;

import org.jspecify.annotations.NullMarked;
