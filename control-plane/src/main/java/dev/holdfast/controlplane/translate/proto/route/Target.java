// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.controlplane.translate.proto.route;

import dev.holdfast.controlplane.objects.httpproxy.RouteService;

/**
 * A service of a route that exists.
 *
 * @param cluster the name of its cluster
 */
public record Target(RouteService service, String cluster) {}
