// SPDX-License-Identifier: Apache-2.0
@NullMarked
package dev.holdfast.server.check;

import org.jspecify.annotations.NullMarked;
