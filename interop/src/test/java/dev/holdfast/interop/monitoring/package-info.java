// SPDX-License-Identifier: Apache-2.0
@NullMarked
package dev.holdfast.interop.monitoring;

import org.jspecify.annotations.NullMarked;
