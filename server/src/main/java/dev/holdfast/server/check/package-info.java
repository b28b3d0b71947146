// SPDX-License-Identifier: Apache-2.0
/** What a local Envoy makes of objects: a control plane of its own, and nobody who is served. */
@NullMarked
package dev.holdfast.server.check;

import org.jspecify.annotations.NullMarked;
