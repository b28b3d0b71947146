// SPDX-License-Identifier: Apache-2.0
@NullMarked
package dev.holdfast.controlplane.ledger;

import org.jspecify.annotations.NullMarked;
