// SPDX-License-Identifier: Apache-2.0
@NullMarked
package dev.holdfast.cli.apply;

import org.jspecify.annotations.NullMarked;
