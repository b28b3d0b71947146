// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.controlplane.snapshot;

import dev.holdfast.config.ObjectKey;

/**
 * Where one part of a resource came from.
 *
 * @param path the part, such as {@code virtual_hosts[3].routes[2]}; empty for the whole
 * @param object the object that says it
 * @param generation of the object
 * @param field where the object says it, such as {@code spec.routes[1]}
 */
public record SourcePlace(String path, ObjectKey object, long generation, String field) {}
