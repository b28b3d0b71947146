// SPDX-License-Identifier: Apache-2.0
/** The status of each object for its author: whether it is valid, and whether proxies run it. */
@NullMarked
package dev.holdfast.controlplane.status;

import org.jspecify.annotations.NullMarked;
