// SPDX-License-Identifier: Apache-2.0
/** Certificates and keys in PEM, as the JDK's TLS takes them, also in files that may change. */
@NullMarked
package dev.holdfast.base.tls;

import org.jspecify.annotations.NullMarked;
