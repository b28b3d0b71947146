// SPDX-License-Identifier: Apache-2.0
@NullMarked
package dev.holdfast.grpc.bootstrap;

import org.jspecify.annotations.NullMarked;
