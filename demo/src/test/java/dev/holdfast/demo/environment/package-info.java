// SPDX-License-Identifier: Apache-2.0
@NullMarked
package dev.holdfast.demo.environment;

import org.jspecify.annotations.NullMarked;
