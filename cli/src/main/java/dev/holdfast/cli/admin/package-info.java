// SPDX-License-Identifier: Apache-2.0
/**
 * Commands that list and show what a running control plane knows. They load neither gRPC nor
 * protobuf: they are to start at once.
 */
@NullMarked
package dev.holdfast.cli.admin;

import org.jspecify.annotations.NullMarked;
