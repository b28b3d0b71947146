// SPDX-License-Identifier: Apache-2.0
@NullMarked
package dev.holdfast.server.trace;

import org.jspecify.annotations.NullMarked;
