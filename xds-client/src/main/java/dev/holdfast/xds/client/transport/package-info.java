// SPDX-License-Identifier: Apache-2.0
/** What the engine needs of a wire, and nothing more. */
@NullMarked
package dev.holdfast.xds.client.transport;

import org.jspecify.annotations.NullMarked;
