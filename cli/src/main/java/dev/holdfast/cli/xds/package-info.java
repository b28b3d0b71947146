// SPDX-License-Identifier: Apache-2.0
/** The commands {@code holdfast xds ...}: look at any control plane, and at any xDS client. */
@NullMarked
package dev.holdfast.cli.xds;

import org.jspecify.annotations.NullMarked;
