// SPDX-License-Identifier: Apache-2.0
/** Envoys on this machine: their programs, their bootstrap, their processes. */
@NullMarked
package dev.holdfast.server.envoy;

import org.jspecify.annotations.NullMarked;
