// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.demo.traffic;

/**
 * Who answered a call.
 *
 * @param backend its name
 * @param mark what a script on the way wrote into the headers; empty if none did
 */
public record CallResult(String backend, String mark) {}
