// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.controlplane.simulation;

import dev.holdfast.config.Mapping;
import dev.holdfast.config.ObjectKey;
import java.util.Map;
import java.util.Set;

/**
 * An object as its author thinks of it.
 *
 * @param mark tells it from all other things that were ever written under its name; stands in the
 *     routes of those that have any
 * @param refs what it refers to
 */
record Sketch(
    ObjectKey key,
    String apiVersion,
    Map<String, String> labels,
    Map<String, String> annotations,
    Mapping body,
    String mark,
    Flaw flaw,
    Set<ObjectKey> refs) {}
