// SPDX-License-Identifier: Apache-2.0
/**
 * HTTP filters (gRFC A39): which there are, and how their configuration is decoded, for a whole
 * listener and for single hosts, routes and clusters. {@link
 * dev.holdfast.xds.resources.filter.HttpFilterTypes} is the registry.
 */
@NullMarked
package dev.holdfast.xds.resources.filter;

import org.jspecify.annotations.NullMarked;
