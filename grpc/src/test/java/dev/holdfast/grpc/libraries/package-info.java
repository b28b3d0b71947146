// SPDX-License-Identifier: Apache-2.0
@NullMarked
package dev.holdfast.grpc.libraries;

import org.jspecify.annotations.NullMarked;
