// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.xds.client;

/** One line of a dump: a watched resource and what the client knows of it. */
public record ResourceStatus(ResourceType<?> type, String name, CacheEntry<?> entry) {}
