// SPDX-License-Identifier: Apache-2.0
/** Matchers that more than one kind of resource uses. */
@NullMarked
package dev.holdfast.xds.resources.matcher;

import org.jspecify.annotations.NullMarked;
