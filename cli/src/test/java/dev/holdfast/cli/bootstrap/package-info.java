// SPDX-License-Identifier: Apache-2.0
@NullMarked
package dev.holdfast.cli.bootstrap;

import org.jspecify.annotations.NullMarked;
