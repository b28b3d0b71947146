// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.xds.resources.listener;

/**
 * An optional filter that is not supported: calls go without it (gRFC A39).
 *
 * @param type of its configuration; empty if it has none
 */
public record IgnoredFilter(String name, String type) {}
