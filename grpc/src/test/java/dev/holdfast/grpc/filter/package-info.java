// SPDX-License-Identifier: Apache-2.0
@NullMarked
package dev.holdfast.grpc.filter;

import org.jspecify.annotations.NullMarked;
