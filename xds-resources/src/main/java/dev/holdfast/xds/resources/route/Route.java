// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.xds.resources.route;

/**
 * One route.
 *
 * @param name for people; may be empty
 */
public record Route(String name, RouteMatch match, RouteAction action) {}
