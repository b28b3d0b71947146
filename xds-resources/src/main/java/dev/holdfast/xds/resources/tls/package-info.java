// SPDX-License-Identifier: Apache-2.0
/**
 * TLS as gRFC A29 knows it: certificates come from provider instances that the bootstrap names, and
 * whatever would weaken security by being ignored is rejected instead.
 */
@NullMarked
package dev.holdfast.xds.resources.tls;

import org.jspecify.annotations.NullMarked;
