// SPDX-License-Identifier: Apache-2.0
@NullMarked
package dev.holdfast.server.probe;

import org.jspecify.annotations.NullMarked;
