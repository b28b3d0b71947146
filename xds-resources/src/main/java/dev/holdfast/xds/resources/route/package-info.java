// SPDX-License-Identifier: Apache-2.0
/**
 * RouteConfiguration: virtual hosts, routes, what they match and where they lead (gRFC A28, A31,
 * A36, A42, A44, A63, A81). {@link RouteConfigurationDecoder} is the way in; each sub-message has a
 * decoder of its own beside its record.
 */
@NullMarked
package dev.holdfast.xds.resources.route;

import org.jspecify.annotations.NullMarked;
