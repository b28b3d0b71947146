// SPDX-License-Identifier: Apache-2.0

/** What those who watch the streams of calls have in common. */
@NullMarked
package dev.holdfast.grpc.trace;

import org.jspecify.annotations.NullMarked;
