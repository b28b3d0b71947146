// SPDX-License-Identifier: Apache-2.0
/** What every state store must do, as tests. */
@NullMarked
package dev.holdfast.config.contract;

import org.jspecify.annotations.NullMarked;
