// SPDX-License-Identifier: Apache-2.0
/** The control plane as the demo sees it: a process and its admin API. */
@NullMarked
package dev.holdfast.demo.controlplane;

import org.jspecify.annotations.NullMarked;
