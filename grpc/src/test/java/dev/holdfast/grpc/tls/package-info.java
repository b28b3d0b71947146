// SPDX-License-Identifier: Apache-2.0
@NullMarked
package dev.holdfast.grpc.tls;

import org.jspecify.annotations.NullMarked;
