// SPDX-License-Identifier: Apache-2.0
/**
 * The stages of a translation, each a value that knows what it has derived: hosts, then the
 * clusters they need, then the endpoints and certificates that those need.
 */
@NullMarked
package dev.holdfast.controlplane.translate.stage;

import org.jspecify.annotations.NullMarked;
