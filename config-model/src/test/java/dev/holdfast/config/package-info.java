// SPDX-License-Identifier: Apache-2.0
@NullMarked
package dev.holdfast.config;

import org.jspecify.annotations.NullMarked;
