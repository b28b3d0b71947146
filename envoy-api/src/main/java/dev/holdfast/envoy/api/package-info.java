// SPDX-License-Identifier: Apache-2.0
/**
 * All of Envoy's API without generated classes: its types, the reading of its messages from what
 * people write, and the checks that Envoy makes while it decodes them.
 */
@NullMarked
package dev.holdfast.envoy.api;

import org.jspecify.annotations.NullMarked;
