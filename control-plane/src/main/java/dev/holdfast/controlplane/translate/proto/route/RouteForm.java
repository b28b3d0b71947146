// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.controlplane.translate.proto.route;

import dev.holdfast.controlplane.objects.httpproxy.Conditions;
import org.jspecify.annotations.Nullable;

/**
 * One of the forms of a route.
 *
 * @param conditions those of the route merged with those of its includes
 * @param replacement replaces the matched prefix; null if the path stays
 */
public record RouteForm(Conditions conditions, @Nullable String replacement) {}
