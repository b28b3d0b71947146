// SPDX-License-Identifier: Apache-2.0
@NullMarked
package dev.holdfast.cli.compare;

import org.jspecify.annotations.NullMarked;
