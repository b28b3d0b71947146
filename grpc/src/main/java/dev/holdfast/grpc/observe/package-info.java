// SPDX-License-Identifier: Apache-2.0
/** What becomes of the engine's events: metrics (gRFC A78 and A88) and logs. */
@NullMarked
package dev.holdfast.grpc.observe;

import org.jspecify.annotations.NullMarked;
