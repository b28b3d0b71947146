// SPDX-License-Identifier: Apache-2.0
/** A small HTTP server whose callers cannot keep each other from being answered. */
@NullMarked
package dev.holdfast.server.http;

import org.jspecify.annotations.NullMarked;
