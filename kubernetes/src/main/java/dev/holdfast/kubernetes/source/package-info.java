// SPDX-License-Identifier: Apache-2.0
/** The objects of a cluster, listed and watched. */
@NullMarked
package dev.holdfast.kubernetes.source;

import org.jspecify.annotations.NullMarked;
