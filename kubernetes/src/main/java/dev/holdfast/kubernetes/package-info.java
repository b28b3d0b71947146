// SPDX-License-Identifier: Apache-2.0
/** Kubernetes as the place of routing objects and their status. */
@NullMarked
package dev.holdfast.kubernetes;

import org.jspecify.annotations.NullMarked;
