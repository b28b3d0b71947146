// SPDX-License-Identifier: Apache-2.0
/** One replica leads, which a Lease of the cluster decides. */
@NullMarked
package dev.holdfast.kubernetes.leader;

import org.jspecify.annotations.NullMarked;
