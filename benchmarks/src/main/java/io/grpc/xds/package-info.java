// SPDX-License-Identifier: Apache-2.0
/** A keyhole into grpc-xds, whose resource types are visible only from here. */
@NullMarked
package io.grpc.xds;

import org.jspecify.annotations.NullMarked;
