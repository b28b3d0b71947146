// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.demo.report;

/**
 * What runs.
 *
 * @param pid the control plane's
 * @param admin the control plane's admin API, for browsers
 * @param objects the directory that is served
 * @param envoy the version of the Envoy; empty if there is none
 */
public record DemoSetup(long pid, int xdsPort, String admin, String objects, String envoy) {}
