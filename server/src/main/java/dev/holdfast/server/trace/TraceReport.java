// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.server.trace;

/**
 * What became of the spans since the start.
 *
 * @param exported the collector has them
 * @param dropped there were too many at once
 * @param failed the collector did not take them
 */
public record TraceReport(long exported, long dropped, long failed) {}
