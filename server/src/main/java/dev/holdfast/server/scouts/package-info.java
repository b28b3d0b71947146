// SPDX-License-Identifier: Apache-2.0
/** The scouts that a server runs itself, and the requests that it sends through them. */
@NullMarked
package dev.holdfast.server.scouts;

import org.jspecify.annotations.NullMarked;
