// SPDX-License-Identifier: Apache-2.0
@NullMarked
package dev.holdfast.grpc.observe;

import org.jspecify.annotations.NullMarked;
