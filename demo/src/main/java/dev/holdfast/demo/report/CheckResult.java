// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.demo.report;

import java.time.Duration;

/**
 * Something that was said to be so, and looked at.
 *
 * @param after how long it took to become so, since what the step did, or how long it was waited
 *     for in vain; zero for what is so or is not, without any waiting
 */
public record CheckResult(String text, boolean held, Duration after) {}
