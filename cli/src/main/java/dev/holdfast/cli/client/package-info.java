// SPDX-License-Identifier: Apache-2.0
/**
 * How a running control plane is asked over HTTP, and what commands that do so have in common.
 * Loads neither gRPC nor protobuf: these commands are to start at once.
 */
@NullMarked
package dev.holdfast.cli.client;

import org.jspecify.annotations.NullMarked;
