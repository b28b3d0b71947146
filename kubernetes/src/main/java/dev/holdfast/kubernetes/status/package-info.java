// SPDX-License-Identifier: Apache-2.0
/** The status of objects, written back to the cluster. */
@NullMarked
package dev.holdfast.kubernetes.status;

import org.jspecify.annotations.NullMarked;
