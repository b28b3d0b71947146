// SPDX-License-Identifier: Apache-2.0
@NullMarked
package dev.holdfast.cli.state;

import org.jspecify.annotations.NullMarked;
