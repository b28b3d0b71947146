// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.xds.client;

/**
 * A resource as it is handed to a watcher.
 *
 * @param name the name it is known by to the engine
 * @param version what the server called this content when the watcher was told; the dump has the
 *     newest name
 * @param value the decoded resource
 */
public record Resource<T>(String name, String version, T value) {}
