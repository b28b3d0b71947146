// SPDX-License-Identifier: Apache-2.0
@NullMarked
package dev.holdfast.demo.process;

import org.jspecify.annotations.NullMarked;
