// SPDX-License-Identifier: Apache-2.0
/** What happened, kept: for the next start, and for those who watch. */
@NullMarked
package dev.holdfast.controlplane.ledger;

import org.jspecify.annotations.NullMarked;
