// SPDX-License-Identifier: Apache-2.0
@NullMarked
package dev.holdfast.kubernetes.source;

import org.jspecify.annotations.NullMarked;
