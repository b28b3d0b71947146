// SPDX-License-Identifier: Apache-2.0
/**
 * Keeps secrets out of texts: {@link dev.holdfast.controlplane.mask.SensitiveValues} knows the
 * sensitive values of all objects and removes them from what proxies report.
 */
@NullMarked
package dev.holdfast.controlplane.mask;

import org.jspecify.annotations.NullMarked;
