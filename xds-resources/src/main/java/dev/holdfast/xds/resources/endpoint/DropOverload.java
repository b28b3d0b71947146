// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.xds.resources.endpoint;

/** A share of the calls that is dropped, and under which heading. */
public record DropOverload(String category, int perMillion) {}
