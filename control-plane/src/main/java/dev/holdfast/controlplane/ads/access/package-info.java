// SPDX-License-Identifier: Apache-2.0
/** What clients may do, by the names in their certificates. */
@NullMarked
package dev.holdfast.controlplane.ads.access;

import org.jspecify.annotations.NullMarked;
