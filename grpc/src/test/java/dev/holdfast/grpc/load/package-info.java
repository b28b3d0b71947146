// SPDX-License-Identifier: Apache-2.0
@NullMarked
package dev.holdfast.grpc.load;

import org.jspecify.annotations.NullMarked;
