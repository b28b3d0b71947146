// SPDX-License-Identifier: Apache-2.0
/**
 * The commands that ask a running control plane over HTTP. They load neither gRPC nor protobuf:
 * they are to start at once.
 */
@NullMarked
package dev.holdfast.cli.admin;

import org.jspecify.annotations.NullMarked;
