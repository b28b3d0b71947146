// SPDX-License-Identifier: Apache-2.0
/** The state of a control plane in one SQLite file. */
@NullMarked
package dev.holdfast.store.sqlite;

import org.jspecify.annotations.NullMarked;
