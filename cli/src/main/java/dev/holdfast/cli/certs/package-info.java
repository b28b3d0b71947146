// SPDX-License-Identifier: Apache-2.0
/** A small certificate authority, for trying out TLS. */
@NullMarked
package dev.holdfast.cli.certs;

import org.jspecify.annotations.NullMarked;
