// SPDX-License-Identifier: Apache-2.0
@NullMarked
package dev.holdfast.cli.admin;

import org.jspecify.annotations.NullMarked;
