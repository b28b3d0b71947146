// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.envoy.api;

import java.util.function.Predicate;

/**
 * One thing that is asked of a value.
 *
 * @param expected in the words that follow "expected:"
 */
record Check(String expected, Predicate<Object> holds) {}
