// SPDX-License-Identifier: Apache-2.0
/** What the clients of this process know, for whoever asks over the wire (gRFC A40). */
@NullMarked
package dev.holdfast.grpc.csds;

import org.jspecify.annotations.NullMarked;
