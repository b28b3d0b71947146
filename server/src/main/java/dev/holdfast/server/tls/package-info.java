// SPDX-License-Identifier: Apache-2.0
/** TLS of the server's ports: certificates in files that may change, and who may connect. */
@NullMarked
package dev.holdfast.server.tls;

import org.jspecify.annotations.NullMarked;
