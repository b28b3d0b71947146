// SPDX-License-Identifier: Apache-2.0
/** What happened: changes on their way to the store, and events on their way to watchers. */
@NullMarked
package dev.holdfast.controlplane.ledger;

import org.jspecify.annotations.NullMarked;
