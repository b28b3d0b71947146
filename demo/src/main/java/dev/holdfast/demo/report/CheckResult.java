// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.demo.report;

import java.time.Duration;

/**
 * The result of one check of a step.
 *
 * @param after how long the check waited, from the step's action; zero for a check that does not
 *     wait
 */
public record CheckResult(String text, boolean passed, Duration after) {}
