// SPDX-License-Identifier: Apache-2.0
@NullMarked
package dev.holdfast.store.sqlite;

import org.jspecify.annotations.NullMarked;
