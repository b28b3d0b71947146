// SPDX-License-Identifier: Apache-2.0
/** The state of a control plane, kept in the cluster that it serves. */
@NullMarked
package dev.holdfast.kubernetes.store;

import org.jspecify.annotations.NullMarked;
