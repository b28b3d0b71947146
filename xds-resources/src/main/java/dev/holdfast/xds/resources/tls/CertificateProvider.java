// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.xds.resources.tls;

/**
 * Where certificates come from.
 *
 * @param instance a provider instance of the bootstrap
 * @param certificateName which of its certificates; may be empty
 */
public record CertificateProvider(String instance, String certificateName) {}
