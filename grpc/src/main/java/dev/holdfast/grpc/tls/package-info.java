// SPDX-License-Identifier: Apache-2.0
/** Certificates and keys in files that may be replaced at any time. */
@NullMarked
package dev.holdfast.grpc.tls;

import org.jspecify.annotations.NullMarked;
