// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.grpc.security;

import dev.holdfast.base.tls.KeyAndChain;
import java.security.cert.X509Certificate;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The certificates for one handshake.
 *
 * @param roots whom to trust; null for whom the system trusts
 * @param identity who we are; null to show no certificate
 */
record TlsMaterial(@Nullable List<X509Certificate> roots, @Nullable KeyAndChain identity) {}
