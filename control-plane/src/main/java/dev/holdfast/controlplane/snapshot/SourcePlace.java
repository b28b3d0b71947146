// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.controlplane.snapshot;

import dev.holdfast.config.ObjectKey;

/**
 * The origin of one part of a resource.
 *
 * @param path the part, such as {@code virtual_hosts[3].routes[2]}; empty for the whole resource
 * @param object the object that it came from
 * @param generation of the object
 * @param field the field of the object, such as {@code spec.routes[1]}
 */
public record SourcePlace(String path, ObjectKey object, long generation, String field) {}
