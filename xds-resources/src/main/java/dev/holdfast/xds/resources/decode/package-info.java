// SPDX-License-Identifier: Apache-2.0
/**
 * What all decoders of this module share: limits, durations, fractions, addresses, regular
 * expressions, {@code Any}. Internal to the module, though Java has it public.
 */
@NullMarked
package dev.holdfast.xds.resources.decode;

import org.jspecify.annotations.NullMarked;
